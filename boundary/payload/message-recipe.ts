/** What every message of a run looks like. All of it is data: a worker on another machine makes the same messages. */
export interface MessageRecipe {
  readonly payload: PayloadRecipe;
  readonly sizes: SizeRecipe;
  readonly keys: KeyRecipe;
  /** Name and value of each header of every message. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Content of a message's value. */
export type PayloadRecipe =
  /** Compresses not at all. */
  | { readonly kind: 'random' }
  /** One character of ASCII, again and again. */
  | { readonly kind: 'constant'; readonly character: string }
  /** Compressed bytes over bytes, 0.05..1, that gzip reaches on batches of it. */
  | { readonly kind: 'compressible'; readonly ratio: number }
  /** Documents that look like events of a shop. */
  | { readonly kind: 'json' }
  /**
   * Messages of the user's own, base64 (JSON carries no bytes). Each value begins with one of them; it is cut, or goes on
   * with the next ones, up to the size asked for.
   */
  | { readonly kind: 'samples'; readonly values: readonly string[] };

/** Size of a value around the message size of the trial, which stays the mean. */
export type SizeRecipe =
  | { readonly kind: 'fixed' }
  /** Evenly between (1 - spread) and (1 + spread) times the message size, 0..1. */
  | { readonly kind: 'uniform'; readonly spread: number }
  /** Standard deviation of the size's natural logarithm. */
  | { readonly kind: 'lognormal'; readonly sigma: number }
  /** Sizes in their own proportion, scaled so that their mean is the message size. */
  | { readonly kind: 'sizes'; readonly bytes: readonly number[] };

/** Keys do not choose the partition: producers rotate over the partitions so that the brokers are loaded evenly. */
export type KeyRecipe =
  | { readonly kind: 'none' }
  | { readonly kind: 'round robin'; readonly count: number }
  | { readonly kind: 'uniform'; readonly count: number }
  /** Key k of `count` with a weight of 1 / k^exponent. */
  | { readonly kind: 'zipfian'; readonly count: number; readonly exponent: number };

/** As a trial is without any wish. */
export const PLAIN_MESSAGES: MessageRecipe = {
  payload: { kind: 'random' },
  sizes: { kind: 'fixed' },
  keys: { kind: 'none' },
  headers: {},
};
