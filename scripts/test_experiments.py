"""Tests of experiments.py: the figures of its significance test, computed by hand."""

import unittest

import experiments


class Fisher(unittest.TestCase):
    def test_few_games_as_counted_by_hand(self):
        # Fisher's tea: of 8 cups 4 and 4; one or none of 4 right where the other has the rest: (16 + 1) / 70.
        self.assertAlmostEqual(experiments.fisher_below(1, 4, 3, 4), 17 / 70)
        # All 5 successes fall to the other side: one way of C(10, 5).
        self.assertAlmostEqual(experiments.fisher_below(0, 5, 5, 5), 1 / 252)
        # 26 successes of 30, at most 7 of them among our 10: (C(10,6) C(20,20) + C(10,7) C(20,19)) / C(30,26).
        self.assertAlmostEqual(experiments.fisher_below(7, 10, 19, 20), (210 + 120 * 20) / 27405)

    def test_nothing_is_below_what_is_never_missed_or_never_met(self):
        self.assertEqual(experiments.fisher_below(300, 300, 300, 300), 1)
        self.assertEqual(experiments.fisher_below(0, 125, 0, 125), 1)

    def test_fewer_successes_are_less_likely(self):
        tails = [experiments.fisher_below(ours, 125, 113, 125) for ours in range(90, 126)]
        self.assertEqual(tails, sorted(tails))
        self.assertLess(tails[0], 0.05)
        self.assertAlmostEqual(tails[-1], 1)


class Tables(unittest.TestCase):
    def test_the_first_seven_of_the_seventeen_are_those_of_experiment_1(self):
        first, second = (list(experiments.EXPERIMENTS[number]["published"]) for number in (1, 2))
        self.assertEqual((len(first), len(second)), (7, 17))
        self.assertEqual(first, second[:7])


if __name__ == "__main__":
    unittest.main()
