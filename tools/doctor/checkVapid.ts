import { createECDH } from 'node:crypto'
import { type DoctorFinding, ok, wrong } from './finding.ts'

const remedy = 'make a new pair (docs/deploy.md, "Web push"); subscriptions made with the old one end'

/** Whether the web push keys match; no finding without them. */
export const checkVapid = (settings: Readonly<Record<string, string>>): DoctorFinding[] => {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = settings
  if (!publicKey && !privateKey) return []
  const name = 'keys of web push'
  if (!publicKey || !privateKey)
    return [wrong(name, `only VAPID_${publicKey ? 'PUBLIC' : 'PRIVATE'}_KEY is set`, 'set both, or neither')]
  const own = computePublicKey(privateKey)
  if (!own) return [wrong(name, 'VAPID_PRIVATE_KEY is not a P-256 private key in base64url', remedy)]
  return own === publicKey.replace(/=+$/, '')
    ? [ok(name, 'belong together')]
    : [wrong(name, 'VAPID_PUBLIC_KEY does not match VAPID_PRIVATE_KEY', remedy)]
}

const computePublicKey = (privateKey: string): string | undefined => {
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return curve.getPublicKey('base64url')
  } catch {
    return undefined
  }
}
