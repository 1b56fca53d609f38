import { z } from 'zod'
import { switchSchema } from '../validation/settingFormats.ts'
import { setting } from './setting.ts'

export const CMS_ENABLED = setting(switchSchema, {
  description: 'enables notifications and the affiliate program: `true` or `false`; `true` in wrangler.toml',
  scope: 'shared',
  default: 'false',
})

export const EMAIL_FROM = setting(z.string(), {
  description: 'sender of e-mails, `edgebook <notifications@example.com>`',
  scope: 'shared',
  absent: 'no e-mail',
})

export const VAPID_PUBLIC_KEY = setting(z.string(), {
  description: 'web push: P-256 public key, base64url',
  scope: 'shared',
  absent: 'no push messages',
})

export const ALLOW_PRIVATE_TARGETS = setting(switchSchema, {
  description: 'allows webhooks and push messages to private hosts',
  scope: 'local',
  default: 'false',
})
