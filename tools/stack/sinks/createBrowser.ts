import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto'
import { decrypt } from 'http_ece'

/** Result of `PushManager.subscribe()`. */
export type PushSubscription = {
  endpoint: string
  expirationTime: null
  keys: { p256dh: string; auth: string }
}

export type Browser = {
  subscription: PushSubscription
  /** Decrypts a push (RFC 8291). @throws Error when it is not encrypted for this browser */
  decrypt: (body: Uint8Array) => unknown
}

const authBytes = 16

/** A browser that receives pushes at `endpoint`. */
export const createBrowser = (endpoint: string): Browser => {
  const keys: ECDH = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(authBytes)
  return {
    subscription: {
      endpoint,
      expirationTime: null,
      keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    decrypt: (body) => {
      const params = { version: 'aes128gcm', privateKey: keys, authSecret: auth.toString('base64url') } as const
      return JSON.parse(decrypt(Buffer.from(body), params).toString('utf8'))
    },
  }
}

/**
 * Whether an `Authorization` header was signed with a VAPID key (RFC 8292), is not expired, and names this host.
 * @param publicKey base64url, the key of the subscription
 * @param now Unix seconds
 */
export const isVapid = (header: string | undefined, publicKey: string, host: string, now: number): boolean => {
  const [, token = '', key] = header?.match(/^vapid t=([\w.-]+), ?k=([\w-]+)=*$/i) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (key !== publicKey || !signature) return false
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ]
  const signer = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const proof = Buffer.from(signature, 'base64url')
  if (!verify('sha256', signed, { key: signer, dsaEncoding: 'ieee-p1363' }, proof)) return false
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number }
  return URL.parse(aud)?.host === host && exp > now && exp <= now + 24 * 3_600
}
