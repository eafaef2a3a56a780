"""Languages by their ISO codes and English names."""

from __future__ import annotations

import functools

# ISO 639-1, then 639-3 and other three-letter codes of the same language, then English names.
# A language without a 639-1 code starts with its 639-3 code.
_TABLE = """
aa aar Afar|ab abk Abkhazian|ae ave Avestan|af afr Afrikaans|ak aka Akan|am amh Amharic|an arg Aragonese
ar ara arb Arabic|as asm Assamese|av ava Avaric|ay aym Aymara|az aze Azerbaijani|ba bak Bashkir
be bel Belarusian|bg bul Bulgarian|bi bis Bislama|bm bam Bambara|bn ben Bengali Bangla|bo bod tib Tibetan
br bre Breton|bs bos Bosnian|ca cat Catalan Valencian|ce che Chechen|ch cha Chamorro|co cos Corsican
cr cre Cree|cs ces cze Czech|cu chu Church_Slavonic|cv chv Chuvash|cy cym wel Welsh|da dan Danish
de deu ger German|dv div Divehi Maldivian|dz dzo Dzongkha|ee ewe Ewe|el ell gre Greek|en eng English
eo epo Esperanto|es spa Spanish Castilian|et est ekk Estonian|eu eus baq Basque|fa fas per pes Persian Farsi
ff ful Fulah|fi fin Finnish|fj fij Fijian|fo fao Faroese|fr fra fre French|fy fry Western_Frisian Frisian
ga gle Irish|gd gla Scottish_Gaelic|gl glg Galician|gn grn Guarani|gu guj Gujarati|gv glv Manx|ha hau Hausa
he heb Hebrew|hi hin Hindi|ho hmo Hiri_Motu|hr hrv Croatian|ht hat Haitian_Creole|hu hun Hungarian
hy hye arm Armenian|hz her Herero|ia ina Interlingua|id ind Indonesian|ie ile Interlingue|ig ibo Igbo
ii iii Sichuan_Yi|ik ipk Inupiaq|io ido Ido|is isl ice Icelandic|it ita Italian|iu iku Inuktitut
ja jpn Japanese|jv jav Javanese|ka kat geo Georgian|kg kon Kongo|ki kik Kikuyu|kj kua Kuanyama
kk kaz Kazakh|kl kal Greenlandic|km khm Khmer|kn kan Kannada|ko kor Korean|kr kau Kanuri|ks kas Kashmiri
ku kur kmr Kurdish|kv kom Komi|kw cor Cornish|ky kir Kyrgyz|la lat Latin|lb ltz Luxembourgish|lg lug Ganda
li lim Limburgish|ln lin Lingala|lo lao Lao|lt lit Lithuanian|lu lub Luba-Katanga|lv lav lvs Latvian
mg mlg plt Malagasy|mh mah Marshallese|mi mri mao Maori|mk mkd mac Macedonian|ml mal Malayalam
mn mon khk Mongolian|mr mar Marathi|ms msa may zsm Malay|mt mlt Maltese|my mya bur Burmese|na nau Nauru
nd nde North_Ndebele|ne nep npi Nepali|ng ndo Ndonga|nl nld dut Dutch Flemish|nn nno Nynorsk
no nor nb nob Norwegian Bokmål|nr nbl South_Ndebele|nv nav Navajo|ny nya Chichewa
oc oci Occitan|oj oji Ojibwa|om orm Oromo|or ori ory Odia Oriya|os oss Ossetian|pa pan Punjabi|pi pli Pali
pl pol Polish|ps pus Pashto|pt por Portuguese|qu que Quechua|rm roh Romansh|rn run Rundi
ro ron rum Romanian Moldavian|ru rus Russian|rw kin Kinyarwanda|sa san Sanskrit|sc srd Sardinian|sd snd Sindhi
se sme Northern_Sami|sg sag Sango|si sin Sinhala|sk slk slo Slovak|sl slv Slovenian Slovene|sm smo Samoan
sn sna Shona|so som Somali|sq sqi alb als Albanian|sr srp Serbian|ss ssw Swati|st sot Southern_Sotho
su sun Sundanese|sv swe Swedish|sw swa swh Swahili|ta tam Tamil|te tel Telugu|tg tgk Tajik|th tha Thai
ti tir Tigrinya|tk tuk Turkmen|tl tgl Tagalog|tn tsn Tswana|to ton Tonga|tr tur Turkish|ts tso Tsonga
tt tat Tatar|tw twi Twi|ty tah Tahitian|ug uig Uyghur|uk ukr Ukrainian|ur urd Urdu|uz uzb uzn Uzbek
ve ven Venda|vi vie Vietnamese|vo vol Volapük|wa wln Walloon|wo wol Wolof|xh xho Xhosa|yi yid ydd Yiddish
yo yor Yoruba|za zha Zhuang|zh zho chi cmn Chinese Mandarin|zu zul Zulu
arz Egyptian_Arabic|ast Asturian|bho Bhojpuri|ceb Cebuano|ckb Central_Kurdish Sorani|fil Filipino
gsw Swiss_German|haw Hawaiian|hmn Hmong|hsb Upper_Sorbian|ilo Iloko|kab Kabyle|lmo Lombard|mai Maithili
nap Neapolitan|nds Low_German|pnb Western_Punjabi|sah Yakut|scn Sicilian|sco Scots|szl Silesian|vec Venetian
war Waray|wuu Wu_Chinese|yue Cantonese
"""


@functools.cache
def codes() -> dict[str, tuple[str, str]]:
    """Every code and name, in lower case, with the code pages carry and the English name."""
    found: dict[str, tuple[str, str]] = {}
    for line in _TABLE.strip().replace("\n", "|").split("|"):
        entry = [part.replace("_", " ") for part in line.split()]
        name = next(part for part in entry if part[0].isupper())
        found |= {part.casefold(): (entry[0], name) for part in entry}
    return found


def short_code(code: str) -> str:
    """ISO 639-1 for a language's code where there is one; an unknown code unchanged.

    >>> short_code("deu"), short_code("yue"), short_code("")
    ('de', 'yue', '')
    """
    return codes().get(code.casefold(), (code,))[0]
