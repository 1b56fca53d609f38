import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

/** Most that a Worker may weigh, so that it starts quickly wherever it is first asked: bytes of gzip. */
export const maxBundleBytes = 250 * 1024

/** @returns bytes of the bundle, as gzip */
export const measureBundle = async (file: string): Promise<number> => gzipSync(await readFile(file)).length
