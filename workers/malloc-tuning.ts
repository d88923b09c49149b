/**
 * Environment of every process that sends: how glibc's malloc serves librdkafka there (other C libraries ignore it). Each message
 * is one block of its size, freed in the order it was made, which malloc turns into one long free stretch and cuts anew;
 * node-rdkafka makes two small blocks for its headers besides, also of none. By default malloc keeps small blocks apart in
 * "fast bins", so that they split the stretch into pieces which are cold in every cache by the time they are used again: up to half of
 * what a message of 100 bytes costs (mxfast=0 switches that off). The rest keeps memory instead of giving it back and taking it
 * again for each batch; it all goes back when the process ends.
 */
export const MALLOC_TUNING = {
  GLIBC_TUNABLES: [
    'glibc.malloc.mxfast=0',
    'glibc.malloc.trim_threshold=1073741824',
    'glibc.malloc.mmap_threshold=33554432',
    'glibc.malloc.top_pad=4194304',
  ].join(':'),
} as const;
