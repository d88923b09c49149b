import { isAxiosError } from 'axios';
import { maskText } from '../config/masked-text.ts';
import { messageOf } from '../errors.ts';

/** Says shortly why a request brought no answer, for people and without the place. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const known = code === null ? undefined : REASONS[code];
  if (known !== undefined) return known;
  const message = maskText(messageOf(error));
  if (/aborted|premature/i.test(message)) return 'answer ends too early';
  if (code === 'ECONNRESET') return 'connection reset';
  if (code?.startsWith('HPE_')) {
    return /Expected HTTP\//.test(message)
      ? 'no HTTP answer; is it https?'
      : `broken HTTP answer (${message})`;
  }
  if (code?.startsWith('ERR_SSL_') || code === 'EPROTO') return tlsReason(code, message);
  const limit = /maxContentLength size of (\d+) exceeded/.exec(message)?.[1];
  if (limit !== undefined) return `answer larger than ${Number(limit) / 1e6} MB`;
  return message || (code ?? 'no answer');
}

/** Why a server turned a request away when that is for want of credentials or of good ones; null for any other answer. */
export function credentialsReason(status: number): string | null {
  if (status !== 401 && status !== 403) return null;
  return `HTTP ${status}: needs credentials that it takes (signals.user and signals.password, or signals.bearerToken)`;
}

/** Puts what a server wrote about a failure on one line of at most 200 characters. */
export function shortened(text: string): string {
  const line = maskText(text.replace(/\s+/g, ' ').trim());
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}

const UNTRUSTED = 'certificate not trusted; name its authority in signals.caFile';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'network not reachable',
  ETIMEDOUT: 'no connection',
  EPIPE: 'connection reset',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host name',
};

function codeOf(error: unknown): string | null {
  if (isAxiosError(error) && error.code !== undefined) return error.code;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function tlsReason(code: string, message: string): string {
  if (
    /certificate_required|certificate required|handshake_failure|handshake failure/i.test(
      `${code} ${message}`,
    )
  ) {
    return 'wants a client certificate (signals.certFile, signals.keyFile)';
  }
  if (/wrong_version|wrong version|packet length/i.test(`${code} ${message}`)) {
    return 'does not speak TLS; is it http?';
  }
  return `TLS failed (${message})`;
}
