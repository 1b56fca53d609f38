/** ETag of a response built from several rows: a hash of its text. */
export const computeBodyEtag = async (body: unknown): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(body)))
  const text = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `W/"${text}"`
}
