declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** @param params.authSecret base64url */
  export function decrypt(body: Buffer, params: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer
}
