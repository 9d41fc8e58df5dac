/** The rules of chess, as far as the page needs them: positions along a line, names of moves, legal moves. */

import { Chess } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';
import type { Move } from 'chessops/types';

/** One position of a line, and the move that led to it. */
export interface Step { fen: string; uci: string | null; san: string; isCheck: boolean }

export interface Line { steps: Step[]; isWhole: boolean }

export const START = INITIAL_FEN;

function positionOf(fen: string): Chess | null {
  return parseFen(fen).unwrap((setup) => Chess.fromSetup(setup).unwrap((position) => position, () => null), () => null);
}

/** The positions from `root` on. `isWhole` is false if a move of the list is not legal; then the line ends before it. */
export function lineOf(root: string, moves: string[]): Line {
  const position = positionOf(root);
  const steps: Step[] = [{ fen: root, uci: null, san: '', isCheck: position?.isCheck() ?? false }];
  if (!position) return { steps, isWhole: moves.length === 0 };
  for (const uci of moves) {
    const move = parseUci(uci);
    if (!move || !position.isLegal(move)) return { steps, isWhole: false };
    const san = makeSanAndPlay(position, move);
    steps.push({ fen: makeFen(position.toSetup()), uci, san, isCheck: position.isCheck() });
  }
  return { steps, isWhole: true };
}

export const destinations = (fen: string): Map<string, string[]> => {
  const position = positionOf(fen);
  return position ? (chessgroundDests(position) as Map<string, string[]>) : new Map();
};

export const isPromotion = (fen: string, from: string, to: string): boolean => {
  const position = positionOf(fen);
  const move = parseUci(from + to);
  if (!position || !move || !('from' in move)) return false;
  return position.board.get(move.from)?.role === 'pawn' && /[18]$/.test(to);
};

/** The move in UCI notation that someone wrote as e4, Nf3, O-O or e2e4; null if it is not legal. */
export function moveOf(fen: string, text: string): string | null {
  const position = positionOf(fen);
  if (!position) return null;
  const move: Move | undefined = parseSan(position, text.trim()) ?? parseUci(text.trim().toLowerCase());
  if (!move || !position.isLegal(move)) return null;
  return standardCastling(fen, makeUci(move));
}

/** Castling as the king's move of two squares, which all of this page and the server use. */
export function standardCastling(fen: string, uci: string): string {
  const position = positionOf(fen);
  const move = parseUci(uci);
  if (!position || !move || !('from' in move)) return uci;
  const [piece, other] = [position.board.get(move.from), position.board.get(move.to)];
  if (piece?.role !== 'king' || other?.role !== 'rook' || other.color !== piece.color) return uci;
  return uci.slice(0, 2) + (move.to > move.from ? 'g' : 'c') + uci.charAt(1);
}

export interface End { result: string; reason: string }

/** How a game has ended, if it has. */
export function endOf(fen: string): End | null {
  const position = positionOf(fen);
  if (!position?.isEnd()) return null;
  if (position.isCheckmate()) return { result: position.turn === 'white' ? '0-1' : '1-0', reason: 'checkmate' };
  return { result: '1/2-1/2', reason: position.isStalemate() ? 'stalemate' : 'insufficient material' };
}

/** The side to move of a FEN. */
export const moverOf = (fen: string): 'white' | 'black' => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

/** "12." or "12..." before a move that is made in this position. */
export function numberBefore(fen: string): string {
  const number = fen.split(' ')[5] ?? '1';
  return `${number}${moverOf(fen) === 'white' ? '.' : '\u2026'}`;
}
