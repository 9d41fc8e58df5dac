#!/usr/bin/env python3
"""Uses the page of `entente serve` as trainers do, in a browser, and says what does not work.

    checks/check_page.py [--program target/release/entente] [--screenshots FOLDER] [-k WORD]

Starts the program itself. The ten wishes of a trainer go from the start page to a file by clicks alone, and python-chess
replays what comes out. Needs what requirements.txt names, Chromium (CHROMIUM names it where it is not in /usr/bin), and
axe-core, which `scripts/page` installs.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import chess
    from playwright.sync_api import expect, sync_playwright
except ModuleNotFoundError as error:
    sys.exit(f"check_page: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

ROOT = pathlib.Path(__file__).resolve().parent.parent
AXE = ROOT / "crates/web/page/node_modules/axe-core/axe.min.js"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
PROGRAM = SCREENSHOTS = None
# The most milliseconds for positions, on a slow machine.
FOUND = 240_000
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1440, 900)}


class Page(unittest.TestCase):
    """A browser at the page of a program that serves."""

    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        cls.address = cls.server.stdout.readline().strip()
        cls.playwright = sync_playwright().start()
        executable = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        cls.browser = cls.playwright.chromium.launch(executable_path=executable, args=FLAGS)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.server.send_signal(signal.SIGINT)
        cls.server.wait(timeout=20)
        cls.server.stdout.close()

    def setUp(self):
        self.faults = []
        self.context, self.page = self.opened()

    def tearDown(self):
        self.context.close()
        self.assertEqual(self.faults, [], "errors of the page itself")

    def opened(self, width=1440, height=900, **options):
        """A browser with nothing stored, at the start page."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        # Refused requests are told as errors, too; the page shows these itself.
        is_fault = lambda text: "Failed to load resource" not in text and "ERR_" not in text
        page.on("console", lambda message: message.type == "error" and is_fault(message.text) and self.faults.append(message.text))
        page.on("request", lambda request: self.assertTrue(request.url.startswith((self.address, "data:", "blob:")), request.url))
        page.goto(self.address)
        page.get_by_role("button", name="Structures").wait_for()
        return context, page

    def button(self, name, exact=False):
        return self.page.get_by_role("button", name=name, exact=exact)

    def ask_for(self, count, elo=None):
        """Sets how many positions are wanted, and the players' rating."""
        self.page.get_by_label("How many").fill(str(count))
        if elo:
            self.page.get_by_label("Games like those of players", exact=True).select_option("both")
            self.page.get_by_label("Rating", exact=True).fill(str(elo))

    def find(self, count):
        """Starts, waits, and returns the constraint and the positions that were found."""
        self.button(re.compile("^Find (a position|[0-9]+ positions)$")).click()
        return self.results(count)

    def results(self, count):
        expect(self.page.get_by_test_id("position")).to_have_count(count, timeout=FOUND)
        shown = self.page.evaluate("() => dispatchEvent(new Event('pagehide')) && JSON.parse(sessionStorage['entente.shown'])")
        self.assertEqual(len(shown), count)
        boards = []
        for position in shown:
            board = chess.Board(position["root"])
            for move in position["moves"]:
                board.push(board.parse_uci(move))
            self.assertEqual(board.fen(), position["fen"])
            boards.append(board)
        return boards

    def save(self, format):
        """The bytes of the file that the button gives."""
        self.page.get_by_label("File format").first.select_option(format)
        with self.page.expect_download(timeout=FOUND) as download:
            self.button(re.compile("^Save [0-9]+ board")).first.click()
        return pathlib.Path(download.value.path()).read_bytes()

    def exercise(self, group, title):
        self.button(re.compile(f"^{group}")).click()
        self.page.locator(".exercise").filter(has_text=re.compile(f"^{re.escape(title)}")).first.click()

    def condition(self, word, title):
        """Clicks a condition, found by the search field."""
        self.page.get_by_role("tab", name="Compose").click()
        self.page.get_by_label("Search conditions").fill(word)
        self.page.locator(".condition").filter(has_text=title).first.click()

    def shoot(self, name, page=None):
        if SCREENSHOTS:
            (page or self.page).screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


def wings(board):
    """The sides that have castled in the game of a board, each with whether it was kingside."""
    replay, found = board.root(), {}
    for move in board.move_stack:
        if replay.is_castling(move):
            found[replay.turn] = replay.is_kingside_castling(move)
        replay.push(move)
    return found


def after(board, move):
    """The position after a move, without its history."""
    position = board.copy(stack=False)
    position.push(move)
    return position


def mates_on_the_back_rank(board, moves):
    """True if the side to move mates in so many moves, and at least one of the final moves is by a rook or queen on the king's rank."""
    edge = chess.BB_RANK_8 if board.turn else chess.BB_RANK_1
    finals = []

    def mates(position, left):
        for move in position.legal_moves:
            then = after(position, move)
            if then.is_checkmate():
                finals.append(chess.BB_SQUARES[move.to_square] & edge and position.piece_type_at(move.from_square) in (chess.ROOK, chess.QUEEN))
                return True
            if left > 1 and then.legal_moves and all(mates(after(then, reply), left - 1) for reply in then.legal_moves):
                return True
        return False

    return mates(board.copy(stack=False), moves) and any(finals)


class Wishes(Page):
    """From the start page to a file, by clicks alone."""

    def check(self, count, condition, elo=None, format="pdf", begins=b"%PDF-"):
        self.ask_for(count, elo)
        boards = self.find(count)
        for board in boards:
            self.assertTrue(condition(board), board.fen())
        self.assertTrue(self.save(format).startswith(begins))

    def test_rook_endings_to_win(self):
        self.exercise("Endings", "Rook and pawn against rook: one move wins")
        self.check(2, lambda board: sorted(map(str, board.piece_map().values())).count("P") == 1, 1500)

    def test_isolated_queens_pawn(self):
        self.exercise("Structures", "The isolated queen's pawn")
        beside = chess.BB_FILE_C | chess.BB_FILE_E
        self.check(2, lambda board: not int(board.pieces(chess.PAWN, chess.WHITE)) & beside, 1500)

    def test_opposite_castling(self):
        self.condition("opposite wings", "Castled on opposite wings")
        self.check(2, lambda board: sorted(wings(board).values()) == [False, True], 1500)

    def test_back_rank_mates_in_two_for_1000(self):
        self.condition("mate in two", "Mate in two")
        self.condition("back-rank", "Back-rank mate")
        self.check(1, lambda board: mates_on_the_back_rank(board, 2), 1000)

    def test_hanging_pieces(self):
        self.condition("hangs", "A black piece hangs")
        self.condition("White to move", "White to move")
        self.check(3, lambda board: board.turn and any(board.is_attacked_by(True, square) for square in chess.SquareSet(board.occupied_co[False])))

    def test_french_structure_set_up_on_the_board(self):
        self.page.get_by_role("tab", name="Compose").click()
        for man, squares in (("white pawn", ("d4", "e5")), ("black pawn", ("d5", "e6"))):
            self.button(man, exact=True).click()
            for square in squares:
                self.page.locator(f"[data-square={square}]").first.click()
        expect(self.page.get_by_test_id("constraint")).to_have_value("P@d4 P@e5 p@d5 p@e6")
        men = {chess.D4: "P", chess.E5: "P", chess.D5: "p", chess.E6: "p"}
        self.check(3, lambda board: all(str(board.piece_at(square)) == man for square, man in men.items()), 1500)

    def test_carlsbad(self):
        self.exercise("Structures", "The Carlsbad structure")
        self.check(1, lambda board: not board.pieces(chess.PAWN, True) & chess.BB_FILE_C, 1500)

    def test_only_move_puzzles(self):
        self.condition("only move", "Only move")
        self.check(2, lambda board: board.legal_moves.count() > 1, 1500, "study", b'[Event "1 ')

    def test_hold_the_draw(self):
        self.exercise("Defence", "Behind, but one move holds")
        self.check(1, lambda board: board.legal_moves.count() > 1, 1500)

    def test_flash_cards(self):
        self.exercise("Tactics", "Forks")
        self.check(2, lambda board: not board.is_game_over(), 1500, "anki", b"#separator:tab")


class Use(Page):
    """What people do with a page."""

    def write(self, text):
        self.page.get_by_test_id("constraint").fill(text)

    def test_a_position_is_opened_solved_practised_and_kept(self):
        self.write("mate=1 turn=white ply>=20")
        self.ask_for(2, 1500)
        self.find(2)
        self.button(re.compile("^Open position 1")).click()
        dialog = self.page.get_by_role("dialog")
        link = dialog.get_by_role("link", name="Open in Lichess").get_attribute("href")
        self.assertTrue(link.startswith("https://lichess.org/analysis/standard/"), link)
        dialog.get_by_role("tab", name="Solution").click()
        self.assertNotIn("mates in", dialog.inner_text())
        expect(dialog.get_by_text("Find the best move on the board first.")).to_be_visible()
        dialog.get_by_role("button", name="Show solution").click()
        expect(dialog.get_by_text("White mates in 1").first).to_be_visible()
        dialog.get_by_role("tab", name="Practise").click()
        dialog.get_by_role("button", name="Start the game").click()
        dialog.get_by_role("button", name=re.compile("^Keep")).click()
        self.page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        self.page.reload()
        self.page.get_by_role("link", name=re.compile("^Kept")).click()
        expect(self.page.get_by_test_id("position").locator("visible=true")).to_have_count(1)

    def move(self, move, by):
        """Moves a man on the opened board."""
        board = self.page.locator("cg-board")
        box = board.bounding_box()
        is_turned = self.page.locator(".board.orientation-black").count() == 1

        def point(square):
            file, rank = chess.square_file(square), chess.square_rank(square)
            file, rank = (7 - file, rank) if is_turned else (file, 7 - rank)
            return box["x"] + (file + 0.5) * box["width"] / 8, box["y"] + (rank + 0.5) * box["height"] / 8

        start, end = point(move.from_square), point(move.to_square)
        if by == "drag":
            self.page.mouse.move(*start)
            self.page.mouse.down()
            self.page.mouse.move(*end, steps=5)
            self.page.mouse.up()
        elif by == "click":
            self.page.mouse.click(*start)
            expect(board.locator("square.move-dest").first).to_be_attached()
            self.page.mouse.click(*end)
        else:
            self.page.touchscreen.tap(*start)
            self.page.touchscreen.tap(*end)

    def test_men_are_moved_on_the_opened_board(self):
        # A mate in two, so that a game goes on after its first move.
        self.write("mate=2 turn=white ply>=20 Q=1")
        self.ask_for(1)
        [board] = self.find(1)
        # A move that no solution begins with, and neither ends the game nor asks for the man of a promotion.
        def is_usual(move):
            after = board.copy()
            after.push(move)
            return not (move.promotion or board.is_castling(move) or board.gives_check(move) or board.is_capture(move) or after.is_game_over())

        usual = next(filter(is_usual, board.legal_moves))
        for by, size in (("click", (1280, 720)), ("drag", (1440, 900)), ("tap", SIZES["phone"])):
            if by == "tap":
                self.context.close()
                self.context, self.page = self.opened(*size, has_touch=True)
                self.write("mate=2 turn=white ply>=20 Q=1")
                self.ask_for(1)
                [board] = self.find(1)
                usual = next(filter(is_usual, board.legal_moves))
            self.page.set_viewport_size({"width": size[0], "height": size[1]})
            self.button(re.compile("^Open position 1")).click()
            dialog = self.page.get_by_role("dialog")
            dialog.get_by_role("tab", name="Practise").click()
            dialog.get_by_role("button", name="Start the game").click()
            self.move(usual, by)
            expect(dialog.get_by_text(re.compile("^Entente played .*Your move|^[01]-[01],"))).to_be_visible(timeout=FOUND)
            dialog.get_by_role("button", name="Take back").click()
            dialog.get_by_label("Your move in letters").fill("Qh9")
            dialog.get_by_role("button", name="Play", exact=True).click()
            expect(dialog.get_by_text("Not a legal move here: Qh9")).to_be_visible()
            dialog.get_by_role("tab", name="Solution").click()
            self.move(usual, by)
            expect(dialog.get_by_text(re.compile("Try again|is right"))).to_be_visible(timeout=FOUND)
            # Back closes what was opened, and nothing else.
            self.page.go_back()
            expect(dialog).to_be_hidden()
            expect(self.page.get_by_test_id("position")).to_have_count(1)

    def test_one_of_several_squares(self):
        self.page.get_by_role("tab", name="Compose").click()
        self.page.get_by_label("On one of several squares").check()
        for square, text in (("f5", "N@f5"), ("g5", "(N@f5 | N@g5)"), ("h5", "(N@f5 | N@g5 | N@h5)"), ("h5", "(N@f5 | N@g5)")):
            self.page.locator(f"[data-square={square}]").first.click()
            expect(self.page.get_by_test_id("constraint")).to_have_value(text)
        expect(self.page.locator(".part-words")).to_contain_text("a white knight on f5 or g5")
        self.page.get_by_label("Difficulty").select_option("puzzle=1000..1400")
        expect(self.page.get_by_test_id("constraint")).to_have_value("(N@f5 | N@g5) puzzle=1000..1400")
        self.page.get_by_label("Difficulty").select_option("")
        expect(self.page.get_by_test_id("constraint")).to_have_value("(N@f5 | N@g5)")

    def test_plain_words_bring_suggestions(self):
        for words, label, text in (
            ("knight on f5", "White knight on f5", "N@f5"),
            ("no queens", "No queens", "Q=0 q=0"),
            ("isolated pawn", "Isolated queen's pawn", "isolated(P@d)"),
        ):
            self.write(words)
            self.button(label, exact=True).click()
            expect(self.page.get_by_test_id("constraint")).to_have_value(text)

    def test_the_boards_of_before_and_what_they_were_found_for(self):
        self.write("Q=0 q=0")
        self.ask_for(1)
        first = self.find(1)
        self.write("R=0 r=0 Q=0")
        expect(self.page.get_by_text("Found for: no white queens, no black queens")).to_be_visible()
        self.button("Find a position").click()
        before = self.button("Show the board of before")
        before.wait_for(timeout=FOUND)
        self.assertNotEqual(first, self.results(1))
        before.click()
        self.assertEqual(first, self.results(1))

    def test_a_link_to_an_exercise_marks_it(self):
        other = self.context.new_page()
        other.goto(self.address + "#c=theme%3Dskewer+!theme%3Dmate")
        expect(other.locator(".exercise[aria-pressed=true]")).to_have_text("Skewers")
        expect(other.get_by_text("This request came with the link")).to_be_visible()

    def test_men_of_a_diagram_are_dragged(self):
        self.page.get_by_role("link", name="Proof games").click()
        grid = self.page.get_by_role("grid", name="Diagram")
        square = lambda name: grid.locator(f"[data-square={name}]")
        square("g1").drag_to(square("f3"))
        diagram = self.page.get_by_label("Diagram or FEN")
        expect(diagram).to_have_value("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R")
        square("e1").click()
        expect(self.page.locator(".toast")).to_contain_text("both kings")
        self.page.get_by_label("Side to move").select_option("black")
        expect(diagram).to_have_value("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R")
        # Onto the board from beside it, and off the board, also when it is turned.
        self.button("black queen", exact=True).drag_to(square("e4"))
        expect(diagram).to_have_value("rnbqkbnr/pppppppp/8/8/4q3/5N2/PPPPPPPP/RNBQKB1R")
        self.button("Turn", exact=True).click()
        self.assertGreater(square("e4").bounding_box()["x"], square("f3").bounding_box()["x"])
        square("f3").drag_to(square("g1"))
        square("e4").drag_to(diagram)
        expect(diagram).to_have_value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")

    def test_men_are_dragged_onto_the_compose_board(self):
        self.page.get_by_role("tab", name="Compose").click()
        grid = self.page.get_by_role("grid", name="Compose board")
        square = lambda name: grid.locator(f"[data-square={name}]")
        self.button("black bishop", exact=True).drag_to(square("g7"))
        expect(self.page.get_by_test_id("constraint")).to_have_value("b@g7")
        # The man that a click places is still the same.
        expect(self.button("white knight", exact=True)).to_have_attribute("aria-pressed", "true")
        self.button("Turn", exact=True).click()
        square("f5").click()
        expect(self.page.get_by_test_id("constraint")).to_have_value("b@g7 N@f5")
        self.page.keyboard.press("ArrowUp")
        self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("P")
        expect(self.page.get_by_test_id("constraint")).to_have_value("b@g7 N@f5 P@e4")

    def test_castling_rights_are_chosen_one_by_one(self):
        self.condition("may castle", "White may castle kingside")
        self.button(re.compile("^Black may castle queenside")).click()
        expect(self.page.get_by_test_id("constraint")).to_have_value("castling>=K castling>=q")
        self.button(re.compile("^All may still castle")).click()
        expect(self.page.get_by_test_id("constraint")).to_have_value("castling=KQkq")

    def test_stop_back_and_reload(self):
        self.write("theme=boden puzzle>=2500")
        self.button(re.compile("^Find 12 positions$")).click()
        stop = self.button("Stop", exact=True)
        stop.wait_for()
        time.sleep(1.5)
        stop.click()
        expect(self.page.get_by_test_id("run")).to_contain_text("Stopped")
        self.write("Q=0 q=0")
        self.ask_for(1)
        self.find(1)
        self.page.reload()
        expect(self.page.get_by_test_id("constraint")).to_have_value("Q=0 q=0")
        expect(self.page.get_by_test_id("position")).to_have_count(1)
        self.page.get_by_role("link", name="Proof games").click()
        self.page.go_back()
        expect(self.page.get_by_test_id("constraint")).to_be_visible()

    def test_a_link_brings_the_request_and_starts_nothing(self):
        other = self.context.new_page()
        other.goto(self.address + "#c=%3C%2Fscript%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&n=3&elo=1700")
        expect(other.get_by_test_id("constraint")).to_have_value("</script><img src=x onerror=alert(1)>")
        expect(other.get_by_label("How many")).to_have_value("3")
        expect(other.get_by_text(re.compile("^constraint, column|expected", re.I)).first).to_be_visible()
        self.assertEqual(other.locator("img[onerror]").count(), 0)

    def test_two_tabs_take_turns(self):
        tabs = [self.page, self.context.new_page(), self.context.new_page()]
        for tab in tabs:
            tab.goto(self.address)
            tab.get_by_test_id("constraint").fill("theme=boden puzzle>=2500")
            tab.get_by_role("button", name="Find 12 positions").click()
        expect(tabs[2].get_by_test_id("run")).to_contain_text("Waiting")
        # A tab that is closed gives up its place.
        tabs[1].close()
        expect(tabs[2].get_by_test_id("run")).not_to_contain_text("Waiting")
        tabs[2].get_by_role("button", name="Stop", exact=True).click()

    def test_what_is_impossible_or_mistyped_is_explained(self):
        self.write("(1,2,1,1,9)")
        expect(self.page.get_by_text("pawns never return")).to_be_visible()
        expect(self.button("Find 12 positions")).to_be_disabled()
        self.write("Q=0 knigt@f5")
        expect(self.page.locator("#reading")).to_contain_text("at character 5")
        self.write("Q=0 N@f5")
        expect(self.page.locator("[data-square=f5]").first).to_have_attribute("aria-label", re.compile("white knight"))

    def test_proof_games(self):
        self.page.get_by_role("link", name="Proof games").click()
        self.page.get_by_label("Diagram or FEN").fill("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
        self.button("Find a game").click()
        expect(self.page.locator(".verdict")).to_contain_text("Found", timeout=FOUND)
        self.page.get_by_label("Diagram or FEN").fill("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPP1/RNBQKBNR")
        self.button("Find a game").click()
        expect(self.page.locator(".verdict")).to_contain_text("pawn on a3", timeout=FOUND)
        expect(self.page.get_by_text("Marked on the board: a3")).to_be_visible()

    def test_by_keyboard_alone(self):
        self.page.get_by_test_id("constraint").focus()
        self.page.keyboard.type("Q=0 q=0")
        self.ask_for(1)
        self.page.get_by_test_id("constraint").focus()
        self.page.keyboard.press("Enter")
        self.results(1)
        self.page.keyboard.press("Tab")
        for _ in range(12):
            label = self.page.evaluate("() => document.activeElement.getAttribute('aria-label') || ''")
            if label.startswith("Open position"):
                break
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("dialog")).to_be_visible()
        self.page.keyboard.press("ArrowLeft")
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_be_hidden()

    def test_the_page_loads_little(self):
        sizes = self.page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.transferSize)")
        self.assertLess(sum(sizes), 300_000)

    def test_no_barrier_for_people_who_do_not_see_and_no_sideways_scrolling(self):
        for name, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                context, page = self.opened(width, height, color_scheme=scheme, bypass_csp=True)
                page.goto(self.address + "#c=N@f5%20Q%3D0&n=2")
                page.get_by_role("tab", name="Compose").click()
                page.evaluate(AXE.read_text())
                found = page.evaluate("() => axe.run()")["violations"]
                serious = [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")]
                self.assertEqual(serious, [], f"{name}, {scheme}")
                wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(wide, 0, f"{name}, {scheme}")
                self.shoot(f"compose-{name}-{scheme}", page)
                context.close()


class Gone(Page):
    """The program ends while the page is open."""

    def test_it_is_said_and_nothing_is_lost(self):
        self.page.get_by_test_id("constraint").fill("Q=0 q=0")
        self.ask_for(1)
        self.find(1)
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(timeout=20), 0)
        self.button("Find a position").click()
        expect(self.page.get_by_text("Start “entente serve” again").first).to_be_visible()
        expect(self.page.get_by_test_id("position")).to_have_count(1)


def main():
    global PROGRAM, SCREENSHOTS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/entente"))
    parser.add_argument("--screenshots", type=pathlib.Path, help="a folder for pictures of the page")
    arguments, rest = parser.parse_known_args()
    PROGRAM, SCREENSHOTS = arguments.program, arguments.screenshots
    if SCREENSHOTS:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    if not AXE.exists():
        sys.exit(f"check_page: {AXE} is missing; scripts/page installs it")
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
