import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { stateFile } from './cluster-layout.ts';

const identity = z.object({ pid: z.number(), startedAt: z.string() });

const schema = z.object({
  phase: z.enum(['starting', 'running']),
  kafkaVersion: z.string(),
  /** The process without which the cluster ends; null when it goes on by itself. */
  owner: identity.nullable(),
  /** Broker 1 is the controller too, so the controller has a port but no process of its own. */
  isCombined: z.boolean().default(false),
  /** The listener for clients besides the brokers' own. */
  clients: z
    .object({
      /** Where clients are sent, by broker; null: where the brokers listen. */
      advertisedPorts: z.array(z.number()).nullable(),
      secret: z
        .object({ user: z.string(), password: z.string(), keyStoreFile: z.string(), caFile: z.string() })
        .nullable(),
    })
    .nullable()
    .default(null),
  controller: z.object({ process: identity.nullable(), port: z.number() }),
  brokers: z.array(
    z.object({
      id: z.number(),
      process: identity.nullable(),
      port: z.number(),
      metricsPort: z.number(),
      agentPorts: z.array(z.number()).default([]),
      /** Of the listener for clients; null without one. */
      clientPort: z.number().nullable().default(null),
    }),
  ),
});

/** What `local-cluster.json` holds. */
export type ClusterState = z.infer<typeof schema>;

/** @returns null when there is no cluster, 'damaged' when the file is half written or foreign. */
export function readClusterState(directory: string): ClusterState | 'damaged' | null {
  const file = stateFile(directory);
  if (!existsSync(file)) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Writes the state so that a reader finds the old one or the new one, never half of it. */
export function writeClusterState(directory: string, state: ClusterState): void {
  const file = stateFile(directory);
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(fresh, file);
}
