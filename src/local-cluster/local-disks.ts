import { statfs } from 'node:fs/promises';

/**
 * What each broker of a local cluster may take of the disk that they share, bytes; null when it cannot be read.
 * @param directory of the cluster, where its brokers keep their data.
 */
export async function freeBytesOfEach(directory: string, brokers: number): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return (bavail * bsize) / brokers;
  } catch {
    return null;
  }
}
