/** What the server sends and takes, as in /api/openapi.json. */

export interface Exercise { name: string; group: string; title: string; constraint: string }
export interface Chip { text: string; title: string; help: string }
export interface Vocabulary {
  version: string;
  limits: { positions: number; seconds: number };
  exercises: Exercise[];
  chips: { group: string; chips: Chip[] }[];
}

/** One of the conditions that must all hold, where it stands in the text, and what it says. `text` is as it was written. */
export interface Part {
  start: number;
  end: number;
  text: string;
  words: string[];
  /** The men of which one must stand on one of the squares; a minus sign is no man; empty if it says something else. */
  men: string;
  squares: string[];
  is_negated: boolean;
}

export interface Checked {
  constraint: string;
  meaning: string[];
  is_proved_impossible: boolean;
  reason: string | null;
  parts: Part[];
}

export interface Position {
  number: number;
  constraint: string;
  seed: number;
  fen: string;
  root: string;
  moves: string[];
  plies: number;
  game: string;
  task: string;
  white_elo?: number | null;
  black_elo?: number | null;
  delivered_by?: string;
  caveat?: string;
  centipawns?: number;
  puzzle_rating?: number;
  puzzle_error?: number;
}

export interface Solution {
  task: string;
  value: string;
  line: string;
  moves: string[];
  wrong: string | null;
  puzzle_rating?: number;
  puzzle_error?: number;
  themes: string[];
}

export interface Answer {
  diagram: string;
  outcome: string;
  is_decided: boolean;
  plies: number | null;
  at_least: number | null;
  are_all_games: boolean;
  games: { moves: string[]; game: string }[];
  rule: string | null;
  reason: string | null;
  squares: string[];
  text: string;
  seconds: number;
}

export interface Reply { move: string | null; san: string | null; fen: string; result: string; reason: string | null }

export interface Progress { done: number; total: number | null; message: string; seconds: number }
export interface Done { found: number; missing: number; asked: number; is_cut: boolean; why: string | null; seconds: number }
