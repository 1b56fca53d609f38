import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'

/** A bucket in memory; a call fails while `fault` returns an error for it. */
export type MemoryBucket = ArchiveBucket & {
  objects: Map<string, ArrayBuffer>
  fault: (call: 'get' | 'put', key: string) => Error | undefined
}

export const createMemoryBucket = (): MemoryBucket => {
  const check = (call: 'get' | 'put', key: string) => {
    const error = bucket.fault(call, key)
    if (error) throw error
  }
  const bucket: MemoryBucket = {
    objects: new Map(),
    fault: () => undefined,
    get: async (key) => {
      check('get', key)
      const bytes = bucket.objects.get(key)
      return bytes ? { arrayBuffer: async () => bytes } : null
    },
    put: async (key, value) => {
      check('put', key)
      bucket.objects.set(key, value)
    },
  }
  return bucket
}
