import { z } from 'zod'
import type { Settings } from '../readSettings.ts'
import type { SettingFinding } from './findMissingSettings.ts'

const placeholder =
  /^<.*>$|^\.{3}$|^…$|change[-_ ]?me|replace[-_ ]?me|your[-_ ](key|token|password|secret)|^x{3,}$|^todo$/i
/** Minimum length of a token: that of 8 random bytes in hexadecimal digits. */
const minTokenLength = 16
/** Maximum size of a setting on the platform, bytes. */
const maxValueBytes = 5 * 1024
const tokens = ['DEBUG_TOKEN', 'TELEGRAM_WEBHOOK_SECRET']

/** Settings whose values no Worker can have: too long, a placeholder, or easy to guess. */
export const findBadSettings = (settings: Settings): SettingFinding[] =>
  Object.entries(settings).flatMap(([setting, value]) => {
    if (Buffer.byteLength(value) > maxValueBytes)
      return [{ setting, fault: `longer than the platform's ${maxValueBytes} bytes` }]
    if (placeholder.test(value)) return [{ setting, fault: 'still a placeholder' }]
    if (setting === 'DOMAIN' && !z.hostname().safeParse(value).success)
      return [{ setting, fault: `a host without scheme and path; got "${value}"` }]
    if (tokens.includes(setting) && value.length < minTokenLength)
      return [{ setting, fault: `too easy to guess; use at least ${minTokenLength} characters` }]
    return []
  })
