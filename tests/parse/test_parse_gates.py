"""Gates: pages that stand in front of others, told from pages about them."""

import pytest

from honeyguide.parse import parse
from honeyguide.parse.gates import SHORT

LOGIN_FORM = "<form action=/login><input name=user><input type=PASSWORD name=p><button>Log in</button></form>"
ARTICLE = "<p>" + "Bees of many kinds visit the flowers of this old garden from early spring on. " * 40 + "</p>"


def gate(body, title=""):
    return parse("http://a.test/", f"<title>{title}</title><body>{body}".encode()).gate


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Just a moment...", "<h1>bees.example</h1><p>Checking if the site connection is secure</p>"),
        ("Just a moment...", "Enable JavaScript and cookies to continue"),
        ("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1>"),
        ("bees.example", "<p>Verifying you are human. This may take a few seconds.</p>"),
        ("bees.example", "<p>Verify that you are human by completing the action below.</p>"),
        ("", "<p>Our systems have detected unusual traffic from your computer network.</p>"),
        ("Access denied", "<p>Please complete the security check to access bees.example</p>"),
        ("Access to this page has been denied", "<p>Press &amp; Hold to confirm you are a human</p>"),
        ("Pardon Our Interruption", "<p>As you were browsing something made us think you were a bot.</p>"),
        ("", "<p>Request unsuccessful. Incapsula incident ID: 1-2</p>"),
        ("Robot check", "<p>Enter the characters you see. Are you a robot?</p><label>I'm not a robot</label>"),
        ("DDoS-Guard", "<p>Checking your browser before accessing bees.example. DDoS protection by Guard</p>"),
    ],
)
def test_a_challenge(title, body):
    assert gate(body, title) == "challenge"


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (
            "Before you continue",
            "<p>We use cookies and data to deliver services.</p><button>Accept all cookies</button>",
        ),
        ("Cookie consent", "<p>We use cookies to improve your experience. Cookie settings.</p>"),
        ("Your privacy", "<p>We and our partners value your privacy.</p><button>Allow all cookies</button>"),
        ("Datenschutz", "<p>Um fortzufahren, bitte den Cookies zustimmen.</p>"),
        ("Privacy", "<p>Veuillez accepter les cookies.</p>"),
    ],
)
def test_a_question_about_cookies(title, body):
    assert gate(body, title) == "consent"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Sign in", "Welcome back"),
        ("Members", "Please log in to read on"),
        ("Anmelden", "Benutzername, Passwort"),
        ("Connexion", "Bienvenue"),
        ("Portal", "Enter your password"),
    ],
)
def test_a_form_to_log_in(title, text):
    assert gate(f"<p>{text}</p>{LOGIN_FORM}", title) == "login"


@pytest.mark.parametrize(
    ("title", "subject"),
    [
        (
            "How captchas work",
            "A captcha asks: are you a robot? The box says: I'm not a robot. Just a moment, it says.",
        ),
        ("Cookie consent in the law", "Sites ask to accept all cookies. We use cookies, they say."),
        ("How to log in safely", "Choose a long password before you sign in." + LOGIN_FORM),
    ],
)
def test_an_article_about_one_is_none(title, subject):
    assert gate(f"<article><h1>{title}</h1><p>{subject}</p>{ARTICLE}</article>", title) == ""


def test_a_box_to_log_in_on_a_page_with_much_to_read_is_none():
    assert gate(f"<header>{LOGIN_FORM}</header><main>{ARTICLE}</main>", "Bees in the garden") == ""


def test_nor_where_words_are_not_told_apart_by_spaces():
    story = "<p>" + "蜜蜂は早春から晩秋まで、この古い庭園に咲くさまざまな花を訪れます。" * 100 + "</p>"
    assert gate(f"<header>Login Password{LOGIN_FORM}</header><main>{story}</main>", "庭園の蜜蜂") == ""


def test_a_short_page_that_only_has_a_notice_on_cookies_is_none():
    assert (
        gate("<p>The hive is open on Sundays.</p><footer>We use cookies. Cookie settings</footer>", "The hive") == ""
    )


def test_a_short_page_that_mentions_passwords_is_none():
    assert gate("<p>Ask the keeper for the password of the hive.</p>", "The hive") == ""


def test_a_gate_may_have_a_few_words():
    words = "please wait " * (SHORT // 2 - 5)
    assert gate(f"<p>Are you a robot?</p><p>{words}</p>") == "challenge"
    assert gate(f"<p>Are you a robot?</p><p>{words * 2}</p>") == ""


def test_what_no_reader_sees_makes_no_gate():
    assert gate("<p>The hive.</p><script>'just a moment'</script><div hidden>I'm not a robot</div>", "Hive") == ""


QUICK_LOGIN = "<form>User <input name=u>Password<input type=password><button>Login</button></form>"
THREAD = " ".join(
    f"The {word} of my hive hums louder when the {word} warms." for word in "queen comb wax drone".split()
)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (f"{QUICK_LOGIN}<p>{THREAD} {THREAD}</p>", "Why do they hum? - Bee forum"),
        (f"<p>Cookie settings: which cookies the apiary sets. {THREAD} {THREAD}</p>", "Cookie settings"),
        (f"<p>The widget shows the words I'm not a robot. {THREAD} {THREAD}</p>", "The captcha widget"),
    ],
)
def test_a_short_page_that_only_mentions_one_is_none(body, title):
    assert gate(body, title) == ""


def test_a_form_whose_words_stand_close_together_is_one():
    assert (
        gate("<label>User</label><label>Password</label><input type=password><button>Login</button>", "Members")
        == "login"
    )
