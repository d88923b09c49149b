import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, PlimsollError } from '../errors.ts';

/** A listener for clients besides the one by which the brokers talk with each other. */
export type ClientListenerOptions =
  /** TLS with a certificate of its own, and SCRAM-SHA-512 for a user of its own. */
  | { readonly kind: 'secured' }
  /** Brokers send clients to these ports, broker 1's first: what listens there passes the traffic on. */
  | { readonly kind: 'forwarded'; readonly advertisedPorts: readonly number[] };

/** What a secured listener is opened with. */
export interface ListenerSecret {
  readonly user: string;
  readonly password: string;
  /** PKCS 12, with the same password. */
  readonly keyStoreFile: string;
  /** The certificate, for clients to trust. */
  readonly caFile: string;
}

/** Folder of keys in a cluster's directory. */
export const KEYS_FOLDER = 'keys';

/** Makes a certificate for loopback that signs itself, and a user. @throws PlimsollError CLUSTER_FAILED */
export async function makeListenerSecret(directory: string): Promise<ListenerSecret> {
  const folder = join(directory, KEYS_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secret = {
    user: 'plimsoll',
    password: randomBytes(18).toString('base64url'),
    keyStoreFile: join(folder, 'brokers.p12'),
    caFile: join(folder, 'brokers.pem'),
  };
  const store = ['-keystore', secret.keyStoreFile, '-storepass', secret.password, '-alias', 'brokers'];
  const names = ['-dname', 'CN=127.0.0.1', '-ext', 'san=ip:127.0.0.1,dns:localhost'];
  const key = ['-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', '30', '-storetype', 'PKCS12'];
  await keytool('-genkeypair', ...store, ...key, ...names);
  await keytool('-exportcert', '-rfc', ...store, '-file', secret.caFile);
  return secret;
}

/** keytool comes with every Java. */
async function keytool(...args: string[]): Promise<void> {
  try {
    await promisify(execFile)('keytool', args);
  } catch (error) {
    const said = (error as { stdout?: string }).stdout?.trim() || messageOf(error);
    const text = `keytool made no certificate for the local cluster: ${messageOf(said)}`;
    // The cause would carry the command line, which holds the password.
    throw new PlimsollError('CLUSTER_FAILED', text);
  }
}

/** Arguments of Kafka's storage tool that make the user. */
export function scramArguments({ user, password }: ListenerSecret): readonly string[] {
  return ['--add-scram', `SCRAM-SHA-512=[name=${user},password=${password}]`];
}

/** A broker's settings for its secured listener, named CLIENTS. */
export function securedProperties({ password, keyStoreFile }: ListenerSecret): Record<string, string> {
  const listener = 'listener.name.clients';
  return {
    [`${listener}.ssl.keystore.type`]: 'PKCS12',
    [`${listener}.ssl.keystore.location`]: keyStoreFile,
    [`${listener}.ssl.keystore.password`]: password,
    [`${listener}.sasl.enabled.mechanisms`]: 'SCRAM-SHA-512',
    [`${listener}.scram-sha-512.sasl.jaas.config`]:
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  };
}

/** What a client needs to get in, by librdkafka's names. */
export function clientProperties({ user, password, caFile }: ListenerSecret): Record<string, string> {
  return {
    'security.protocol': 'sasl_ssl',
    'sasl.mechanisms': 'SCRAM-SHA-512',
    'sasl.username': user,
    'sasl.password': password,
    'ssl.ca.location': caFile,
  };
}
