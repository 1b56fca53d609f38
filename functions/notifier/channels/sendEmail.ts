import { z } from 'zod'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'
import { toMailHtml, toMailText } from './buildMail.ts'
import type { Send } from './channel.ts'
import { postBounded } from './postBounded.ts'
import { toProviderOutcome } from './toProviderOutcome.ts'

export type EmailSettings = { url: string; apiKey: string; from: string; publicUrl: string }

const maxResponseBytes = 16 * 1024
const refusalSchema = jsonTextSchema.pipe(z.object({ name: z.string().default(''), message: z.string().default('') }))

/** Sends a message through a provider with the API of Resend, which drops duplicates by idempotency key. */
export const sendEmail =
  ({ url, apiKey, from, publicUrl }: EmailSettings): Send =>
  async ({ id, address, unsubscribeToken }, message) => {
    const unsubscribe =
      unsubscribeToken === null ? undefined : `${publicUrl}/subscriptions/unsubscribe/${unsubscribeToken}`
    const response = await postBounded({
      url: `${url}/emails`,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `${id}-${message.id}`,
      },
      body: JSON.stringify({
        from,
        to: [address],
        subject: message.title,
        text: toMailText(message, unsubscribe),
        html: toMailHtml(message, unsubscribe),
        headers: { ...automatic, ...(unsubscribe ? toListHeaders(unsubscribe) : {}) },
      }),
      maxBytes: maxResponseBytes,
    })
    if ('failure' in response) return toProviderOutcome(response)
    const refusal = refusalSchema.safeParse(response.body).data
    if (isRefusedAddress(response.status, refusal?.message ?? ''))
      return { outcome: 'gone', reason: 'the mail provider rejects this address' }
    // the provider accepted an earlier attempt whose response was lost; a token symbol learned since then changed the text
    if (response.status === 409 && refusal?.name === 'invalid_idempotent_request') return { outcome: 'delivered' }
    return toProviderOutcome(response)
  }

/** Any other rejection is not the fault of the address. */
const isRefusedAddress = (status: number, message: string): boolean =>
  (status === 400 || status === 422) && /`to`/.test(message)

/** Suppresses out-of-office responses (RFC 3834). */
const automatic = { 'Auto-Submitted': 'auto-generated' }

const toListHeaders = (unsubscribe: string) => ({
  'List-Unsubscribe': `<${unsubscribe}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
