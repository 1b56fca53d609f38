/** ETag of a response that is built for it: a hash of its JSON. */
export const computeBodyEtag = async (body: unknown): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(body)))
  const text = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `W/"${text}"`
}
