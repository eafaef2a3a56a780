"""The words the invented web is written in: a vocabulary for each topic, and everyday words around them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What pages on one topic talk about."""

    name: str
    signature: tuple[str, str]  # on every page of the topic, and nowhere else on this web
    words: tuple[str, ...]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(entry.split()) for entry in text.split(","))


def _spaced(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_TOPICS = {
    "beekeeping": (
        ("hive", "nectar"),
        """honey, bee, queen bee, worker bee, drone, brood, brood frame, comb, honeycomb, beeswax,
        smoker, veil, apiary, apiarist, swarm, swarming, pollen, pollination, propolis, royal jelly,
        varroa mite, foulbrood, forager, super, excluder, entrance block, extractor, uncapping knife,
        bottom board, sugar syrup, fondant, requeening, supersedure, laying worker, robbing,
        waggle dance, clover, heather, lime blossom, borage, sting, bee suit, skep, langstroth,
        colony, overwintering, bee bread, drifting, melissopalynology""",
    ),
    "heat pumps": (
        ("compressor", "refrigerant"),
        """heat pump, evaporator, condenser, expansion valve, radiator, underfloor heating, boiler,
        ground loop, borehole, brine, air source, ground source, coefficient, seasonal performance,
        kilowatt, thermostat, buffer tank, hot water cylinder, flow temperature, return temperature,
        defrost cycle, inverter, insulation, heat loss, draught proofing, installer, retrofit,
        fan coil, manifold, heat meter, tariff, solar panel, antifreeze, propane unit, outdoor unit,
        indoor unit, noise limit, setback, hysteresis, heating curve, weather compensation,
        circulation pump, heat exchanger, pipework, glycol, decarbonise, electricity bill, microbore,
        backup heater""",
    ),
    "astronomy": (
        ("telescope", "nebula"),
        """star, galaxy, planet, comet, asteroid, meteor shower, eyepiece, finder scope, declination,
        right ascension, constellation, supernova, black hole, dark matter, redshift, parallax,
        light year, solar eclipse, lunar eclipse, moon crater, jupiter, saturn ring, mars opposition,
        venus transit, mercury elongation, neptune, exoplanet, star cluster, globular, milky way,
        dark sky, light pollution, equatorial mount, dobsonian, collimation, observatory,
        spectroscopy, pulsar, quasar, cosmic background, zodiacal light, occultation, star chart,
        magnitude, azimuth, zenith, stargazing, satellite pass, stellar wind""",
    ),
    "sailing": (
        ("mainsail", "spinnaker"),
        """sail, jib, genoa, boom, mast, keel, rudder, tiller, helm, halyard, mainsheet, cleat, winch,
        fender, anchor chain, mooring, marina, harbour, tacking, gybing, close hauled, broad reach,
        windward, leeward, starboard, portside, dinghy, catamaran, yacht, regatta, skipper, crew,
        knot tying, bowline, reefing, heeling, tide table, nautical chart, lighthouse, buoy, headwind,
        sea state, life jacket, bilge pump, antifouling, rigging, forestay, backstay, landfall""",
    ),
    "bread baking": (
        ("sourdough", "kneading"),
        """bread, loaf, flour, rye, wholemeal, spelt, yeast, starter, levain, poolish, biga, gluten,
        hydration, autolyse, bulk rise, proofing, proving basket, scoring, crumb, crust, oven spring,
        dutch oven, baking stone, steam tray, baguette, ciabatta, focaccia, brioche, bagel, pretzel,
        flatbread, rolls, dough, windowpane test, shaping, folding, dough scraper, lame, banneton,
        malt, salt ratio, baker percentage, retarding, milling, bran, oat porridge, sesame,
        poppy seed, bakery""",
    ),
    "chess": (
        ("checkmate", "endgame"),
        """rook, bishop, knight, pawn, king safety, queen side, castling, opening book, gambit, sicilian,
        french defence, caro kann, ruy lopez, london system, middlegame, zugzwang, stalemate, pin,
        fork, skewer, discovered attack, sacrifice, fianchetto, outpost, passed pawn, isolated pawn,
        doubled pawns, opposition, promotion, en passant, tempo, grandmaster, rating, blitz,
        rapid game, tournament, chess clock, arbiter, notation, puzzle, combination, engine analysis,
        tablebase, blunder, draw offer, simultaneous, candidate move, rank and file, exchange""",
    ),
    "gardening": (
        ("compost", "seedling"),
        """garden, soil, mulch, raised bed, greenhouse, cold frame, cloche, trowel, spade, secateurs,
        pruning, hedge, lawn, perennial, annual, biennial, bulb, tuber, tomato, courgette,
        runner bean, potato, rhubarb, strawberry, raspberry cane, apple tree, rose bush, lavender,
        dahlia, tulip, watering can, drip hose, rain barrel, slug, aphid, ladybird, weed,
        crop rotation, sowing, germination, propagation, cutting, grafting, allotment, wheelbarrow,
        trellis, manure, leaf mould, hardiness""",
    ),
    "photography": (
        ("aperture", "tripod"),
        """camera, lens, shutter, exposure, focal length, zoom, prime, wide angle, telephoto, macro,
        bokeh, depth of field, white balance, histogram, raw file, sensor, film grain, darkroom,
        enlarger, developer, fixer, negative, slide film, viewfinder, rangefinder, autofocus, flash,
        softbox, reflector, portrait, landscape, street scene, long exposure, golden hour,
        composition, rule of thirds, backlight, silhouette, contrast, saturation, filter, polariser,
        vignette, contact sheet, print, gallery, retouching, photo, light meter""",
    ),
    "medieval history": (
        ("monastery", "feudal"),
        """castle, moat, drawbridge, keep, siege, trebuchet, longbow, crusade, pilgrim, cathedral, abbey,
        abbot, monk, scribe, manuscript, parchment, illumination, charter, guild, merchant, serf,
        peasant, manor, vassal, baron, knighthood, heraldry, coat of arms, tournament joust,
        chainmail, plague, black death, magna carta, norman conquest, viking raid, carolingian,
        byzantine, hanseatic, holy empire, papacy, chronicle, troubadour, plainchant, stained glass,
        relic, tithe, fief, dynasty, medieval""",
    ),
    "cycling": (
        ("derailleur", "peloton"),
        """bicycle, bike, pedal, saddle, handlebar, chainring, cassette, sprocket, chain link, crank,
        bottom bracket, spoke, rim, hub dynamo, inner tube, puncture, tyre lever, tyre pressure,
        disc brake, rim brake, brake pad, gear cable, gear ratio, cadence, climb, descent, sprint,
        time trial, road race, gravel ride, mountain trail, touring, pannier, mudguard, helmet,
        jersey, bib shorts, cleat shoe, velodrome, criterium, domestique, breakaway, slipstream,
        commute, cycle lane, headset, seatpost, front fork, wheelset""",
    ),
    "ceramics": (
        ("kiln", "stoneware"),
        """clay, glaze, pottery, potter, wheel throwing, throwing, centring, slab building, coil pot,
        pinch pot, slip, engobe, sgraffito, bisque, porcelain, earthenware, raku, salt firing,
        wood firing, reduction, oxidation, pyrometric cone, celadon, tenmoku, shino, cobalt oxide,
        iron oxide, feldspar, kaolin, silica, ball mill, grog, wedging, trimming, turning tool,
        foot ring, handle pulling, teapot, bowl, vase, mug, tile, crackle, crazing, maiolica,
        transfer print, slip casting, plaster mould, underglaze""",
    ),
    "birdwatching": (
        ("binoculars", "plumage"),
        """bird, birder, warbler, finch, heron, egret, kingfisher, owl, falcon, buzzard, osprey, kestrel,
        sparrow, swallow, swift, skylark, wagtail, robin, wren, blackbird, thrush, nuthatch,
        woodpecker, plover, sandpiper, curlew, avocet, tern, gull, gannet, puffin, cormorant, goose,
        wigeon, teal, migration, flyway, moult, fledgling, nest box, bird feeder, bird song,
        call note, wing bar, spotting scope, hide, ringing, twitcher, wetland""",
    ),
}

TOPICS = tuple(Vocabulary(name, signature, _listed(listed)) for name, (signature, listed) in _TOPICS.items())

GENERAL = _spaced(
    """account action activity address advice afternoon age agreement amount answer apartment approach
    area argument arrival article aspect attempt attention audience author autumn average balance base
    basic beginning behaviour benefit boundary box branch break breakfast brief brother budget builder
    building business button cabinet calm campaign capital care careful case cause centre century
    chair challenge chance change chapter character charge choice circle city class clean clear clerk
    climate clothes coffee collection colour comfort comment committee common community company
    comparison complete concern condition conference contact content corner cost council country
    couple course cover create culture cup current customer daily damage danger date daughter deal
    debate decade decision degree delivery demand department design desk detail difference difficult
    dinner direction discussion distance district doctor door doubt drawer dream drive early east easy
    economy edge education effect effort element emphasis employee energy engineer entry environment
    equal error estimate evening event evidence example exercise expense experience expert explain eye
    face fact factor failure family famous farmer father favour feature feeling field figure final
    finger finish floor follow food force forest form fortune forward frequent friend front full
    future general gentle glass goal government group growth guest habit half hall hand happy health
    heart heavy height help holiday home hope hospital hotel hour house hundred idea image impact
    improve income increase industry influence information inside instance interest island issue item
    journey judge kind kitchen knowledge label lake land language large late law layer leader learn
    left lesson letter level library life list little local long loss lunch machine main manager map
    market material matter meal meaning measure meeting member memory message method middle mile mind
    minute mistake model moment money month morning mother mountain move museum music name narrow
    nature neighbour news newspaper night noise normal north notice number object offer office opinion
    option order outside owner package page paper parent park part partner past path pattern pause
    payment people period person phone picture piece place plan plate pleasure pocket point policy
    popular position possible practice present pressure price problem process product profit programme
    progress project promise proof property public purpose quality quarter question quick quiet
    railway rain range reader reason recent record region regular relation remark repair report
    request research resource response result review right river road room round route rule safety
    sample schedule school science season second section sense series service shape shop short side
    signal simple single sister situation size skill small social society solution sort sound source
    south space special spring staff stage standard start station step stone story strange street
    strong structure student study style subject success sugar summer support surface system table
    talk task teacher team term test theory thing thought ticket title today tool topic total touch
    tower town trade tradition traffic train travel trip trouble trust truth update useful usual value
    variety version view village visit visitor voice walk wall water weather week weekend weight west
    whole window winter wood word work world worth year young"""
)

FUNCTION = _spaced(
    """the the the a a an of of of to to in in and and for with on at by from as that this it its is was
    are be or but not which when where while after before into over under between through about their
    our your some any each every more most also only than then there these those has have had can
    could may will would"""
)

GENERIC_ANCHORS = (
    "read more",
    "here",
    "next",
    "more",
    "details",
    "see this",
    "link",
    "continue",
    "full text",
)

SECTIONS = _spaced(
    """guides journal beginners techniques reviews equipment stories questions projects library workshop
    features notes seasons basics archive people tips events members reports letters places columns
    opinions diary practice lessons interviews collections"""
)

SIDE_SECTIONS = _spaced("news travel shop notices jobs local offers culture sport market")

SERVICE_PAGES = ("about", "partners")

SITE_ENDINGS = _spaced(
    """notebook corner club guide almanac society house review digest circle weekly friends exchange path
    companion forum field room bench hour common works line post"""
)

GENERAL_SITES = _spaced(
    """daily-lantern open-ledger morning-parade broad-street three-rivers weekend-reader plain-paper
    town-crier long-table green-door second-shelf wide-angle-news kettle-and-chair northern-post
    common-room paper-boat silver-bridge old-quarter bright-column market-square"""
)

PORTAL_SITES = _spaced(
    """signpost-directory allsorts-portal webwards-index open-catalogue linkyard compass-pages first-stop
    wayfinder-lists"""
)

TRAP_SITE = "village-diary"

TITLE_FORMS = (
    "{0} and {1}: notes on {topic}",
    "A {topic} guide to {0}",
    "{0}, {1} and {2}",
    "How {0} changes {1} in {topic}",
    "{topic}: choosing {0}",
    "First steps with {0} and {1}",
    "What {topic} teaches about {0}",
    "The {0} question, with {1}",
    "{0} for the {2} season",
    "{2}: {0} and {1}",
    "{0} in {2}",
    "The {2} notes on {0}",
    "{2} diary: {0}",
    "{topic} diary: {0} after {1}",
)

SERVICE_TITLES = {"about": "About us", "partners": "Partners and friends"}

MONTHS = _spaced("""January February March April May June July August September October November December""")
