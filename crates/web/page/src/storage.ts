/** Lists and choices in the browser's storage. What is read from it is tested, because an older page may have written it. */

export function load<T>(key: string, isGood: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`entente.${key}`) ?? 'null');
    return isGood(value) ? value : null;
  } catch {
    return null;
  }
}

/** True if it could be kept: storage may be full or switched off. */
export function store(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(`entente.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
