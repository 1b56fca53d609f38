/** Compresses a text as gzip. */
export const compressText = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()

/**
 * The text of `compressText`.
 * @throws TypeError when the bytes are no gzip, or end early
 */
export const decompressText = (bytes: ArrayBuffer): Promise<string> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
