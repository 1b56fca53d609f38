import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

/** Maximum gzip size of a Worker, bytes, for a quick cold start. */
export const maxBundleBytes = 250 * 1024

/** @returns bytes of the bundle, as gzip */
export const measureBundle = async (file: string): Promise<number> => gzipSync(await readFile(file)).length
