/**
 * The request in the fragment of the address, `#c=Q%3D0&elo=1500&n=12`. Anyone may have written a link, so each value is
 * tested before it is used, and a link never starts anything by itself.
 */

export type Tab = 'positions' | 'proof' | 'kept';
export type Scale = 'online' | 'fide';
export type Realism = 'auto' | 'natural' | 'fast';

export interface Request {
  constraint: string;
  count: number;
  elo: number | null;
  whiteElo: number | null;
  blackElo: number | null;
  scale: Scale;
  realism: Realism;
  strict: boolean;
  distinct: boolean;
  seed: number | null;
  seconds: number | null;
}

export interface Place { tab: Tab; request: Request; diagram: string }

export const DEFAULTS: Request = {
  constraint: '', count: 12, elo: null, whiteElo: null, blackElo: null, scale: 'online', realism: 'auto',
  strict: false, distinct: true, seed: null, seconds: null,
};

export const LONGEST = 4000;

/** A whole number within limits, or null. */
export function whole(text: string | null, lowest: number, highest: number): number | null {
  if (text === null || !/^\d{1,16}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= lowest && value <= highest ? value : null;
}

function one<T extends string>(text: string | null, known: readonly T[], otherwise: T): T {
  return known.find((each) => each === text) ?? otherwise;
}

/** The text of a link on a single line without control characters. */
function clean(text: string | null): string {
  return (text ?? '').replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, LONGEST);
}

export function readPlace(fragment: string): Place {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const rating = (key: string) => whole(values.get(key), 1, 4000);
  return {
    tab: one<Tab>(values.get('tab'), ['positions', 'proof', 'kept'], 'positions'),
    diagram: clean(values.get('d')),
    request: {
      constraint: clean(values.get('c')),
      count: whole(values.get('n'), 1, 100) ?? DEFAULTS.count,
      elo: rating('elo'),
      whiteElo: rating('w'),
      blackElo: rating('b'),
      scale: one<Scale>(values.get('scale'), ['online', 'fide'], 'online'),
      realism: one<Realism>(values.get('r'), ['auto', 'natural', 'fast'], 'auto'),
      strict: values.get('strict') === '1',
      distinct: values.get('distinct') !== '0',
      seed: whole(values.get('seed'), 0, Number.MAX_SAFE_INTEGER),
      seconds: whole(values.get('s'), 1, MOST_SECONDS),
    },
  };
}

export function writePlace({ tab, request, diagram }: Place): string {
  const values = new URLSearchParams();
  const put = (key: string, value: string | number | null, usual: string | number | null) => {
    if (value !== null && value !== usual) values.set(key, String(value));
  };
  put('c', request.constraint, '');
  put('elo', request.elo, null);
  put('w', request.whiteElo, null);
  put('b', request.blackElo, null);
  put('scale', request.scale, 'online');
  put('r', request.realism, 'auto');
  put('n', request.count, null);
  put('strict', request.strict ? 1 : 0, 0);
  put('distinct', request.distinct ? 1 : 0, 1);
  put('seed', request.seed, null);
  put('s', request.seconds, null);
  put('tab', tab, 'positions');
  put('d', diagram, '');
  return `#${values.toString()}`;
}

/** The most time of a call, which can be stopped at any moment, so that it needs no shorter limit. */
export const MOST_SECONDS = 3600;

/** The body of /api/generate. The server takes one rating or two, not both. */
export function bodyOf(request: Request): object {
  const { constraint, count, whiteElo, blackElo, scale, realism, strict, distinct, seed, seconds } = request;
  const elo = whiteElo === null && blackElo === null ? request.elo : null;
  const hasRating = elo !== null || whiteElo !== null || blackElo !== null;
  return {
    constraint, count, realism, distinct,
    seconds: seconds ?? MOST_SECONDS,
    ...(elo === null ? {} : { elo }),
    ...(whiteElo === null ? {} : { white_elo: whiteElo }),
    ...(blackElo === null ? {} : { black_elo: blackElo }),
    ...(hasRating ? { rating_scale: scale } : {}),
    ...(strict ? { strict } : {}),
    ...(seed === null ? {} : { seed }),
  };
}
