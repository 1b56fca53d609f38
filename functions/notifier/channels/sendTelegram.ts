import { z } from 'zod'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'
import type { Message, Send } from './channel.ts'
import { escapeHtml } from './escapeHtml.ts'
import { postBounded } from './postBounded.ts'
import { toProviderOutcome } from './toProviderOutcome.ts'

export type TelegramSettings = { url: string; botToken: string }

const maxResponseBytes = 16 * 1024
const refusalSchema = jsonTextSchema.pipe(
  z.object({
    description: z.string().default(''),
    parameters: z.object({ retry_after: z.number().positive().optional() }).default({}),
  }),
)

/** Sends a message of the bot to a chat. */
export const sendTelegram =
  ({ url, botToken }: TelegramSettings): Send =>
  async ({ address }, message) => {
    const response = await postBounded({
      url: `${url}/bot${botToken}/sendMessage`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        chat_id: address,
        text: toHtml(message),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      }),
      maxBytes: maxResponseBytes,
    })
    if ('failure' in response) return toProviderOutcome(response)
    const refusal = refusalSchema.safeParse(response.body).data
    if (response.status === 403) return { outcome: 'gone', reason: 'the bot may not write to this chat' }
    if (response.status === 400 && /chat not found|deactivated/i.test(refusal?.description ?? ''))
      return { outcome: 'gone', reason: 'no such chat' }
    const seconds = refusal?.parameters.retry_after
    return toProviderOutcome({
      ...response,
      retryAfterMs: seconds === undefined ? response.retryAfterMs : seconds * 1000,
    })
  }

const toHtml = ({ title, text, link }: Message): string =>
  [
    `<b>${escapeHtml(title)}.</b>`,
    escapeHtml(text),
    ...(link ? [`<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`] : []),
  ].join('\n\n')
