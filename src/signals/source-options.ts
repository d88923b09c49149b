/** How a source reaches what it asks, whichever kind it is. */
export interface SourceOptions {
  /** Credentials in a URL go before these. */
  readonly credentials: Credentials | null;
  /** Certificates to trust in place of the well-known ones, PEM. */
  readonly caPem: string | null;
  /** Certificate and key of this client, PEM. */
  readonly certPem: string | null;
  readonly keyPem: string | null;
  /** URL of an HTTP proxy; the environment's proxies are never used. */
  readonly proxy: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Series that a first look brings besides those that tell by their names: the user's own (`signals.idle`). */
  readonly alsoTelling: ReadonlySet<string>;
}

export type Credentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** No credentials, the system's trust, no proxy. */
export const PLAIN_SOURCE: SourceOptions = {
  credentials: null,
  caPem: null,
  certPem: null,
  keyPem: null,
  proxy: null,
  headers: {},
  alsoTelling: new Set(),
};
