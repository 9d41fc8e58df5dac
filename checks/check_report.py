#!/usr/bin/env python3
"""Uses a report as readers do, in a browser, and says what does not work.

    checks/check_report.py REPORT.html
    checks/check_report.py REPORT.html BIG.html --seconds 2 --screenshots pictures

REPORT.html has a handful of games, and tables if it is a tournament's; BIG.html has some 2,000 games and must open within
--seconds if that is given. Needs what requirements.txt names, and Chromium with its driver: on Debian and Ubuntu, apt
install chromium chromium-driver (CHROMIUM and CHROMEDRIVER name them where they are not in /usr/bin).
"""

import argparse
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import unittest
import urllib.parse

try:
    import chess
    import chess.pgn
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ModuleNotFoundError as error:
    sys.exit(f"check_report: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

REPORT = BIG = SECONDS = SCREENSHOTS = None
NOT_FOUND = "not found, closest position"

ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]

# What is copied is kept, or refused as browsers refuse it to pages from files.
KEEP_COPIES = """
    window.copied = [];
    const writeText = async (text) => { copied.push(text); };
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
"""
REFUSE_COPIES = """
    window.copied = [];
    const writeText = async () => { throw new DOMException("refused", "NotAllowedError"); };
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    document.execCommand = () => copied.push(document.activeElement.value) > 0;
"""

# The men as they are drawn: (piece, column, row) of every <use>.
DRAWN_MEN = """
    return [...arguments[0].querySelectorAll("use")].map((use) =>
        [use.getAttribute("href").slice(7), use.getAttribute("x") / 45, use.getAttribute("y") / 45]);
"""

# From the start of loading to the frame after the first board is there.
TIME_FIRST_BOARD = """
    const look = () => document.querySelector(".card use")
        ? requestAnimationFrame(() => { window.firstBoard = performance.now(); })
        : requestAnimationFrame(look);
    look();
"""

# Milliseconds to choose the first constraint and lay the page out.
FILTER = """
    const start = performance.now();
    const select = document.querySelector(".filters select");
    select.selectedIndex = 1;
    select.dispatchEvent(new Event("change"));
    document.body.getBoundingClientRect();
    return performance.now() - start;
"""


def start_browser(profile):
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in ARGUMENTS + [f"--user-data-dir={profile}", "--window-size=1280,900"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    return webdriver.Chrome(options=options, service=service)


def root_of(game):
    return chess.Board(game.get("root", chess.STARTING_FEN))


def luminance(color):
    channels = [channel / 255 for channel in color[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        profile = tempfile.TemporaryDirectory()
        cls.addClassCleanup(profile.cleanup)
        cls.driver = start_browser(profile.name)
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        self.show(1280, 900)
        self.color_scheme("light")
        self.load(REPORT)

    def tearDown(self):
        errors = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(errors, [])
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        requests = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        # The browser's first page asks for much of its own.
        urls = [request["request"]["url"] for request in requests if request["documentURL"].startswith("file:")]
        self.assertTrue(urls)
        self.assertEqual([url for url in urls if not url.startswith(("file:", "data:"))], [])
        self.assertEqual(self.js("return performance.getEntriesByType('resource').map((entry) => entry.name)"), [])

    def load(self, path, fragment=""):
        # Another page first: else a new fragment would not load anything.
        self.driver.get("about:blank")
        self.driver.get(pathlib.Path(path).resolve().as_uri() + fragment)
        self.games = self.js("return window.ententeGallery.games")

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def cdp(self, command, **parameters):
        self.driver.execute_cdp_cmd(command, parameters)

    def show(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def color_scheme(self, name):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, seconds=5):
        return WebDriverWait(self.driver, seconds, 0.02).until(lambda _: condition())

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def control(self, label):
        """The button of the dialog that begins with this label."""
        for button in self.find_all("dialog .control"):
            if (button.get_attribute("aria-label") or button.text).startswith(label):
                return button
        raise AssertionError(f"no button {label}")

    def state(self, name):
        return self.js("return window.ententeGallery[arguments[0]]", name)

    def visible_cards(self):
        return [card for card in self.find_all(".card") if card.is_displayed()]

    def dialog_is_open(self):
        return self.js("return document.querySelector('dialog').open")

    def open(self, index, ply=None):
        self.js("window.ententeGallery.open(arguments[0])", index)
        if ply is not None:
            self.js("window.ententeGallery.goTo(arguments[0])", ply)

    def long_game(self):
        return max(range(len(self.games)), key=lambda index: len(self.games[index]["uci"]))

    def assert_drawn(self, svg, board, flipped=False):
        men = {}
        for man, column, row in self.js(DRAWN_MEN, svg):
            square = chess.square(int(column), 7 - int(row))
            men[63 - square if flipped else square] = man
        self.assertEqual(men, {square: piece.symbol() for square, piece in board.piece_map().items()})


class Cards(InBrowser):
    def test_every_game_has_a_card_and_its_board_is_drawn_when_it_is_scrolled_to(self):
        cards = self.find_all(".card")
        self.assertEqual(len(cards), len(self.games))
        for card, game in zip(cards, self.games):
            self.js("arguments[0].scrollIntoView()", card)
            svg = card.find_element(By.CSS_SELECTOR, "svg.board")
            self.wait(lambda: self.js("return arguments[0].childElementCount", svg))
            self.assert_drawn(svg, chess.Board(game["fen"]))
            self.assertEqual(len(svg.find_elements(By.CSS_SELECTOR, ".mark")), len(game["mark"].split()))
            self.assertEqual(len(svg.find_elements(By.CSS_SELECTOR, ".moved")), 2 if game["uci"] else 0)

    def test_cards_are_named_and_say_what_was_not_found(self):
        constraints = self.js("return JSON.parse(document.getElementById('games').textContent).constraints")
        for card, game in zip(self.find_all(".card"), self.games):
            self.assertEqual(card.tag_name, "button")
            label = card.get_attribute("aria-label").replace("\u00a0", " ")
            for part in (game["caption"], constraints[game["c"]], game["fen"]):
                self.assertIn(part, label)
            self.assertEqual(NOT_FOUND in label, not game["ok"])
            self.js("arguments[0].scrollIntoView()", card)
            self.assertEqual(NOT_FOUND in card.text, not game["ok"])
            shown = card.find_element(By.CSS_SELECTOR, ".caption").text.replace("\n", " ").replace("\u00a0", " ")
            self.assertEqual(shown, game["caption"])
            board = chess.Board(game["fen"])
            side = "White" if board.turn else "Black"
            state = "is mated" if board.is_checkmate() else "is stalemated" if board.is_stalemate() else "to move"
            self.assertTrue(shown.startswith(f"{game['n']} · {side} {state} · move {board.fullmove_number}"), shown)
            self.assertEqual(len(card.find_elements(By.CSS_SELECTOR, ".constraint")), int(len(constraints) > 1))

    def test_no_page_speaks_of_nodes_or_arrows(self):
        self.open(self.long_game())
        text = self.js("return document.getElementById('gallery').textContent + document.querySelector('dialog').textContent")
        self.assertNotIn("nodes", text)
        self.assertEqual(self.find_all(".arrow"), [])

    def test_men_nearly_fill_their_squares_and_only_some_squares_have_frames(self):
        self.js("arguments[0].scrollIntoView()", self.find(".card"))
        self.wait(lambda: self.find_all(".card use"))
        heights = self.js("""
            const boxes = [...document.querySelectorAll("symbol")].map((symbol) => {
                const svg = document.querySelector(".card svg").cloneNode();
                svg.append(...symbol.cloneNode(true).childNodes);
                document.body.append(svg);
                const { height } = svg.getBBox();
                svg.remove();
                return [symbol.id, height / 45];
            });
            return Object.fromEntries(boxes);
        """)
        for man, height in heights.items():
            self.assertGreater(height, 0.7 if man[-1] in "Pp" else 0.8, man)

    def test_filters_show_the_games_they_name_and_count_them(self):
        for key, label in enumerate(self.find_all(".filters label")):
            name = "ce"[key]
            select = label.find_element(By.TAG_NAME, "select")
            options = len(select.find_elements(By.TAG_NAME, "option")) - 1
            self.assertEqual(label.is_displayed(), options > 1)
            if options < 2:
                continue
            for option in range(options):
                Select(select).select_by_value(str(option))
                expected = sum(game[name] == option for game in self.games)
                self.assertEqual(len(self.visible_cards()), expected)
                self.assertTrue(self.find(".count").text.startswith(f"{expected} of {len(self.games)}"))
            Select(select).select_by_value("")
            self.assertEqual(len(self.visible_cards()), len(self.games))


class Tables(InBrowser):
    READ_COLUMN = """
        const [table, column] = arguments;
        return [...table.tBodies[0].rows].map((row) => {
            const cell = row.cells[column];
            return [(cell.dataset.value ?? cell.textContent).trim(), Number(row.dataset.original)];
        });
    """

    def test_every_column_sorts_both_ways_by_click_and_by_key(self):
        tables = self.find_all("table.sortable")
        if not tables:
            self.skipTest("no table in this report")
        for table in tables:
            self.js("[...arguments[0].tBodies[0].rows].forEach((row, index) => { row.dataset.original = index; })", table)
            for column, header in enumerate(table.find_elements(By.CSS_SELECTOR, "thead tr:last-child th")):
                button = header.find_element(By.TAG_NAME, "button")
                before = [original for _, original in self.js(self.READ_COLUMN, table, column)]
                self.js("arguments[0].scrollIntoView({ block: 'center', inline: 'center' })", button)
                button.click()
                self.assertEqual(header.get_attribute("aria-sort"), "ascending")
                self.assert_sorted(table, column, before, 1)
                before = [original for _, original in self.js(self.READ_COLUMN, table, column)]
                button.send_keys(Keys.ENTER)
                self.assertEqual(header.get_attribute("aria-sort"), "descending")
                self.assert_sorted(table, column, before, -1)
                self.assertEqual(len(table.find_elements(By.CSS_SELECTOR, "[aria-sort]")), 1)

    def assert_sorted(self, table, column, before, direction):
        cells = self.js(self.READ_COLUMN, table, column)
        values = [value for value, _ in cells]
        filled = [value for value in values if value not in ("", "–")]
        self.assertEqual(values[: len(filled)], filled, "empty cells are last")
        order = self.order(filled)
        self.assertTrue(all(direction * sign <= 0 for sign in order), values)
        places = [before.index(original) for _, original in cells]
        order += [0] * (len(values) - len(filled))
        for index, sign in enumerate(order[: len(places) - 1]):
            if sign == 0 and (index + 1 < len(filled)) == (index < len(filled)):
                self.assertLess(places[index], places[index + 1], "equal cells keep their order")

    def order(self, values):
        """The sign of every value minus the next one."""
        try:
            numbers = [float(value.replace(",", "").replace("%", "").replace("−", "-")) for value in values]
            return [(one > other) - (one < other) for one, other in zip(numbers, numbers[1:])]
        except ValueError:
            return self.js(
                "const texts = new Intl.Collator('en', { numeric: true });"
                "return arguments[0].slice(1).map((text, index) => texts.compare(arguments[0][index], text));",
                values,
            )


class Replays(InBrowser):
    def test_every_ply_of_every_game_is_that_of_an_independent_library(self):
        for index, game in enumerate(self.games):
            self.open(index)
            self.assertEqual(self.find(".replay .error").text, "")
            board = root_of(game)
            replayed = self.js(
                "const gallery = window.ententeGallery; return Array.from({ length: gallery.plies + 1 }, (_, ply) => {"
                "gallery.goTo(ply); return [gallery.replayed, gallery.fen]; });"
            )
            self.assertEqual(len(replayed), len(game["uci"].split()) + 1)
            for ply, (position, fen) in enumerate(replayed):
                if ply:
                    board.push_uci(game["uci"].split()[ply - 1])
                self.assertEqual(position, board.fen(en_passant="legal"), f"game {game['n']}, ply {ply}")
                self.assertEqual(fen, position)
            self.assertEqual(replayed[-1][1], game["fen"])

    def test_the_pgn_of_every_game_is_read_by_an_independent_library(self):
        for index, game in enumerate(self.games):
            self.open(index)
            text = self.state("pgn")
            read = chess.pgn.read_game(io.StringIO(text))
            self.assertEqual(read.errors, [])
            self.assertEqual([move.uci() for move in read.mainline_moves()], game["uci"].split())
            end = read.end().board()
            result = end.result() if end.is_checkmate() else "*"
            expected = {
                "Event": "Entente proof game", "Site": "?", "Date": "????.??.??", "Round": str(game["n"]),
                "White": "Entente", "Black": "Entente", "Result": result, "FinalFEN": game["fen"], **game["tags"],
            }
            if "root" in game:
                expected |= {"SetUp": "1", "FEN": game["root"]}
            constraint = self.js("return JSON.parse(document.getElementById('games').textContent).constraints")[game["c"]]
            # python-chess leaves the backslashes of quotes as they are.
            headers = {name: re.sub(r"\\(.)", r"\1", value) for name, value in read.headers.items()}
            self.assertEqual(headers, expected | {"Constraint": constraint})
            lines = text.split("\n\n")[1].splitlines()
            self.assertLessEqual(max(map(len, lines)), 80)
            self.assertTrue(lines[-1].endswith(read.headers["Result"]))

    def test_a_click_and_enter_open_a_game_at_its_end_and_escape_returns_to_the_card(self):
        card = self.find_all(".card")[-1]
        index = len(self.games) - 1
        self.assertFalse(self.dialog_is_open())
        card.click()
        self.assertTrue(self.dialog_is_open())
        self.assertEqual(self.state("index"), index)
        self.assertEqual(self.state("ply"), len(self.games[index]["uci"].split()))
        self.assertEqual(self.js("return location.hash"), f"#game-{self.games[index]['n']}")
        self.press(Keys.ESCAPE)
        self.wait(lambda: not self.dialog_is_open())
        self.assertEqual(self.js("return location.hash"), "")
        self.assertEqual(self.driver.switch_to.active_element, card)
        self.press(Keys.ENTER)
        self.assertTrue(self.dialog_is_open())
        # The board has the focus, for the keys, and no ring that would say that it can be pressed.
        self.assertEqual(self.js("return document.activeElement.getAttribute('class')"), "board")
        self.assertEqual(self.js("return getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.control("Close").click()
        self.assertFalse(self.dialog_is_open())

    def test_buttons_step_through_the_game(self):
        index = self.long_game()
        self.open(index)
        plies = self.state("plies")
        for label, ply in [("First", 0), ("Previous move", 0), ("Next move", 1), ("Next move", 2), ("Previous move", 1),
                           ("Last", plies), ("Next move", plies), ("Previous move", plies - 1)]:
            self.control(label).click()
            self.assert_shown(index, ply)

    def test_keys_step_through_the_game(self):
        index = self.long_game()
        self.open(index)
        plies = self.state("plies")
        for key, ply in [(Keys.HOME, 0), (Keys.ARROW_LEFT, 0), (Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2),
                         (Keys.ARROW_LEFT, 1), (Keys.END, plies), (Keys.ARROW_RIGHT, plies), (Keys.ARROW_LEFT, plies - 1)]:
            self.press(key)
            self.assert_shown(index, ply)

    def assert_shown(self, index, ply):
        """What the dialog shows is this ply: board, FEN, move list, and what is read out."""
        game = self.games[index]
        self.assertEqual((self.state("index"), self.state("ply")), (index, ply))
        board = root_of(game)
        for uci in game["uci"].split()[:ply]:
            board.push_uci(uci)
        flipped = self.state("flipped")
        svg = self.find(".replay .board")
        self.assert_drawn(svg, board, flipped)
        self.assertEqual(len(svg.find_elements(By.CSS_SELECTOR, ".moved")), 2 * min(ply, 1))
        self.assertEqual(svg.find_elements(By.CSS_SELECTOR, ".arrow"), [])
        self.assertEqual(self.find(".replay .fen").text, board.fen(en_passant="legal"))
        current = self.find_all(".moves [aria-current]")
        spoken = self.find("dialog .spoken").get_attribute("textContent")
        if ply == 0:
            self.assertEqual((current, spoken), ([], "Start"))
            return
        san = game["san"].split()[ply - 1]
        self.assertEqual([move.text for move in current], [san])
        self.assertTrue(self.js(
            "const [move, list] = [arguments[0], arguments[0].parentNode].map((node) => node.getBoundingClientRect());"
            "return move.top >= list.top && move.bottom <= list.bottom", current[0]))
        board.pop()
        self.assertEqual(spoken, f"{board.fullmove_number}{'.' if board.turn else '…'} {san}")

    def test_a_click_on_a_move_shows_it(self):
        index = self.long_game()
        self.open(index)
        for ply in (self.state("plies") // 2, 1, self.state("plies")):
            move = self.find(f".moves [data-ply='{ply}']")
            self.js("arguments[0].scrollIntoView({ block: 'nearest' })", move)
            move.click()
            self.assert_shown(index, ply)

    def test_play_starts_over_pauses_and_stops_at_the_end(self):
        index = self.long_game()
        self.open(index)
        self.press(Keys.SPACE)
        self.wait(lambda: self.state("ply") == 2)
        self.control("Pause")
        self.press(Keys.SPACE)
        ply = self.state("ply")
        time.sleep(1)
        self.assert_shown(index, ply)
        self.js("window.ententeGallery.goTo(window.ententeGallery.plies - 1)")
        self.control("Play").click()
        self.wait(lambda: self.state("ply") == self.state("plies"))
        self.control("Play")

    def test_the_board_flips_by_button_and_key(self):
        index = self.long_game()
        self.open(index)
        self.control("Flip").click()
        self.assertTrue(self.state("flipped"))
        self.assert_shown(index, self.state("plies"))
        self.assertEqual(self.find(".replay .coordinate").text, "h")
        self.press("f")
        self.assertFalse(self.state("flipped"))
        self.assert_shown(index, self.state("plies"))

    def test_other_games_are_reached_in_the_order_of_the_filtered_list(self):
        shown = list(range(len(self.games)))
        constraints = [game["c"] for game in self.games]
        wanted = next((c for c in constraints if constraints.count(c) > 1 and len(set(constraints)) > 1), None)
        if wanted is not None:
            Select(self.find(".filters select")).select_by_value(str(wanted))
            shown = [index for index in shown if constraints[index] == wanted]
        self.visible_cards()[0].click()
        for action in (lambda: self.press(Keys.ARROW_DOWN), lambda: self.press(Keys.PAGE_DOWN),
                       lambda: self.control("Next game").click()):
            self.assertEqual(self.state("index"), shown[0])
            action()
            self.assertEqual(self.state("index"), shown[1])
            self.assertEqual(self.find(".place").text, f"2 of {len(shown)}")
            self.control("Previous game").click()
        self.press(Keys.ARROW_DOWN, Keys.ARROW_UP)
        self.assertEqual(self.state("index"), shown[0])
        self.press(Keys.PAGE_UP)
        self.assertEqual(self.state("index"), shown[0])

    def test_keyboard_alone_reaches_every_button(self):
        self.find(".card").send_keys(Keys.ENTER)
        reached = set()
        for _ in range(20):
            self.press(Keys.TAB)
            active = self.driver.switch_to.active_element
            reached.add(active.get_attribute("aria-label") or active.text)
        for button in self.find_all("dialog .control"):
            self.assertIn(button.get_attribute("aria-label") or button.text, reached)
        self.control("First").send_keys(Keys.SPACE)
        self.assertEqual(self.state("ply"), 0)

    def test_copies(self):
        index = self.long_game()
        for patch in (KEEP_COPIES, REFUSE_COPIES):
            self.js(patch)
            self.open(index, 3)
            for label, expected in [("FEN", self.state("fen")), ("PGN", self.state("pgn")),
                                    ("command", self.games[index]["command"])]:
                self.control(f"Copy {label}").click()
                toast = f"{label[0].upper()}{label[1:]} copied"
                self.wait(lambda: self.find(".toast").text == toast)
                self.assertEqual(self.js("return copied.at(-1)"), expected)
            self.assertEqual(self.state("ply"), 3)

    def test_links_open_positions_and_games_in_lichess(self):
        lichess = "https://lichess.org/analysis"
        for card, game in zip(self.find_all(".cards > li"), self.games):
            link = card.find_element(By.CSS_SELECTOR, "a.lichess")
            self.assertEqual(link.get_dom_attribute("href"), f"{lichess}/standard/{game['fen'].replace(' ', '_')}")
            self.assertEqual(link.get_attribute("rel"), "noopener noreferrer")
        for index, game in enumerate(self.games):
            self.open(index, 1)
            position, whole = self.find_all("dialog a.control")
            self.assertEqual(position.get_dom_attribute("href"), f"{lichess}/standard/{self.state('fen').replace(' ', '_')}")
            moves = urllib.parse.unquote(whole.get_dom_attribute("href").removeprefix(f"{lichess}/pgn/"))
            start = f'[FEN "{game["root"]}"]' if "root" in game else ""
            self.assertEqual(moves, start + game["san"].replace(" ", "_"))
            self.assertNotIn("#", whole.get_dom_attribute("href"), "a mate is no fragment")

    def test_the_address_opens_a_game(self):
        last = len(self.games) - 1
        self.load(REPORT, f"#game-{self.games[last]['n']}")
        self.assertTrue(self.dialog_is_open())
        self.assertEqual(self.state("index"), last)
        self.js("location.hash = arguments[0]", f"#game-{self.games[0]['n']}")
        self.wait(lambda: self.state("index") == 0)
        self.load(REPORT, "#game-0x")
        self.assertFalse(self.dialog_is_open())


class Looks(InBrowser):
    # Text whose contrast is measured, on the page and in the dialog.
    TEXTS = ["h1", "header p", "td", "thead button", ".count", ".card .caption", ".card .constraint", ".card .entrant",
             ".card .warning", ".lichess", "footer code",
             ".replay h2", ".replay .place", ".replay .facts", ".replay .fen", ".replay .number",
             ".replay .moves button:not([aria-current])", ".replay [aria-current]", ".copying .control"]

    # The colours of an element's text and of what is painted behind it.
    COLORS = """
        const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
        let behind = arguments[0];
        const background = () => numbers(getComputedStyle(behind).backgroundColor);
        while (background()[3] === 0) behind = behind.parentElement;
        return [numbers(getComputedStyle(arguments[0]).color), background()];
    """

    def test_nothing_is_wider_than_a_telephone(self):
        for width in (390, 1280):
            self.show(width, 844)
            self.load(REPORT)
            self.assert_fits("document.documentElement", width)
            self.open(self.long_game())
            self.assert_fits("document.documentElement", width)
            self.assert_fits("document.querySelector('dialog')", width)

    def test_what_is_wider_than_the_page_shows_that_it_scrolls(self):
        for width in (390, 1280):
            self.show(width, 844)
            self.load(REPORT)
            for scroller in self.find_all(".scroll"):
                beyond = self.js("return arguments[0].scrollWidth - arguments[0].clientWidth", scroller)
                frame = scroller.find_element(By.XPATH, "..")
                edges = lambda: [edge in frame.get_attribute("class") for edge in ("more-before", "more-after")]
                self.wait(lambda: edges() == [False, beyond > 1])
                self.assertEqual(scroller.get_attribute("tabindex") == "0", beyond > 1, "keys scroll it, too")
                self.js("arguments[0].scrollLeft = 1e6", scroller)
                self.wait(lambda: edges() == [beyond > 1, False])

    def assert_fits(self, node, width):
        scrolled, visible = self.js(f"const node = {node}; return [node.scrollWidth, node.clientWidth]")
        self.assertLessEqual(scrolled, visible, f"{node} at {width}")

    def test_light_and_dark_both_have_enough_contrast(self):
        backgrounds = []
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.load(REPORT)
            self.open(self.long_game())
            backgrounds.append(luminance(self.js(self.COLORS, self.find("body"))[1]))
            for selector in self.TEXTS:
                for node in self.find_all(selector)[:1]:
                    self.assertGreaterEqual(contrast(*self.js(self.COLORS, node)), 4.5, f"{selector}, {scheme}")
            squares = [self.js("return getComputedStyle(arguments[0]).fill.match(/\\d+/g).map(Number)", self.find(name))
                       for name in (".replay .light-squares", ".replay .dark-squares")]
            self.assertGreater(contrast(*squares), 1.5)
        self.assertGreater(backgrounds[0], 0.8)
        self.assertLess(backgrounds[1], 0.05)


class ManyGames(InBrowser):
    def setUp(self):
        if BIG is None:
            self.skipTest("no big report given")
        super().setUp()

    def test_it_opens_quickly_and_draws_only_what_is_seen(self):
        script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": TIME_FIRST_BOARD})
        self.load(BIG)
        # The first boards are below the tables, perhaps too far to be drawn before the reader is there.
        drawn = self.js("return document.querySelector('.card').getBoundingClientRect().top < innerHeight + 500")
        seconds = (self.wait(lambda: self.js("return window.firstBoard")) if drawn else self.js(
            "const [entry] = performance.getEntriesByType('navigation'); return entry.loadEventEnd")) / 1000
        self.cdp("Page.removeScriptToEvaluateOnNewDocument", **script)
        print(f"\n{len(self.games)} games: open, {'first boards drawn' if drawn else 'loaded'}, after {seconds:.2f} s")
        if SECONDS is not None:
            self.assertLess(seconds, SECONDS)
        start = time.monotonic()
        self.js("document.querySelector('.cards').lastChild.scrollIntoView()")
        last = self.find(".cards > li:last-child svg")
        self.wait(lambda: self.js("return arguments[0].childElementCount", last))
        print(f"last board drawn {time.monotonic() - start:.2f} s after scrolling there")
        self.assert_drawn(last, chess.Board(self.games[-1]["fen"]))
        self.wait(lambda: self.js("return document.querySelectorAll('.card use').length") < 5000)
        print(f"filtered in {self.js(FILTER) / 1000:.2f} s")


class Screenshots(InBrowser):
    def setUp(self):
        if SCREENSHOTS is None:
            self.skipTest("no screenshots wanted")
        super().setUp()

    def test_screenshots(self):
        folder = pathlib.Path(SCREENSHOTS)
        folder.mkdir(parents=True, exist_ok=True)
        for width, height in ((1280, 900), (390, 844)):
            for scheme in ("light", "dark"):
                self.show(width, height)
                self.color_scheme(scheme)
                self.load(REPORT)
                save = lambda what: self.driver.save_screenshot(str(folder / f"{what}-{width}-{scheme}.png"))
                save("top")
                self.js("document.getElementById('gallery').scrollIntoView()")
                self.wait(lambda: self.find_all(".card use"))
                time.sleep(0.2)
                save("gallery")
                self.open(self.long_game(), 21)
                save("dialog")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", help="a report with a handful of games")
    parser.add_argument("big", nargs="?", help="one with some 2,000")
    parser.add_argument("--seconds", type=float, help="how soon that must open")
    parser.add_argument("--screenshots", metavar="DIR", help="write PNGs here")
    parser.add_argument("-k", metavar="PATTERN", action="append", help="only tests with this in their names")
    options = parser.parse_args()
    REPORT, BIG, SECONDS, SCREENSHOTS = options.report, options.big, options.seconds, options.screenshots
    chosen = [argument for pattern in options.k or [] for argument in ("-k", pattern)]
    unittest.main(argv=["check_report.py", *chosen])
