import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type ErrorCode, PlimsollError } from '../../src/errors.ts';
import { ownerHere, type RunOwner } from '../../src/store/run-owner.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';

/** An owner that is gone: no process has this number. */
export const GONE: RunOwner = { ...ownerHere(), pid: 2 ** 30 };

export interface TemporaryStores {
  /** The home of this test, removed after it. */
  readonly home: string;
  /** Opens the home's store (or another one), closed after the test. */
  open(options?: StoreOptions, home?: string): Store;
  closeLater(store: Store): void;
}

/** Gives every test of a suite a home of its own. */
export function useTemporaryStores(): TemporaryStores {
  let home = '';
  const opened: Store[] = [];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'plimsoll-store-'));
  });
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
    rmSync(home, { recursive: true });
  });
  return {
    get home() {
      return home;
    },
    open: (options, folder = home) => {
      const store = openStore(folder, options);
      opened.push(store);
      return store;
    },
    closeLater: (store) => opened.push(store),
  };
}

/** Code and message of the PlimsollError that the work throws; null when it throws nothing. */
export function errorOf(work: () => unknown): { code: ErrorCode; message: string } | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    return { code: error.code, message: error.message };
  }
}
