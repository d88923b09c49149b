export const MASK = '***';

/**
 * Names whose values are never shown or stored: client properties, settings, and headers of HTTP. `.pem` and `jaas`
 * hold key material without saying so.
 */
const SECRET_NAME =
  /password|passwd|secret|token|jaas|key\.pem|oauthbearer\.config|authorization|api-?key|cookie/i;

/** Tells whether a value of this name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Hides the credentials inside a text: the user part of URLs (`redis://:pw@host`, basic auth of a metrics page), and
 * parameters such as `?token=...` or `password=...`.
 */
export function maskText(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/]*@/gi, `$1${MASK}@`)
    .replace(/([\w.-]*(?:password|passwd|secret|token)[\w.-]*=)[^&\s,;"]+/gi, `$1${MASK}`);
}
