import type { Hex } from 'viem'
import { type Subscribed, subscribe } from '#tools/demo/subscribe.ts'
import type { PushSubscription } from '#tools/stack/sinks/createBrowser.ts'
import type { SinkChannel, SinkMessage } from '#tools/stack/sinks/createMailbox.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'

/** The notification sinks of a running stack. */
export const connectSinks = ({ sinksUrl }: StackInfo) => {
  const ask = async <Answer>(path: string, method = 'GET', body?: object): Promise<Answer> => {
    const response = await fetch(sinksUrl + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as Answer
  }
  return {
    list: (query = '') => ask<SinkMessage[]>(`/messages${query}`),
    /** affects the next messages of a channel */
    fail: (channel: SinkChannel, fault: { status: number; times: number }) =>
      ask('/faults', 'PUT', { channel, ...fault }),
    openBrowser: () => ask<PushSubscription>('/push/subscriptions', 'POST'),
    keepSecret: (name: string, secret: string) => ask(`/webhooks/${name}/secret`, 'PUT', { secret }),
    startChat: (code: string) =>
      ask<{ chatId: number; status: number; reply: string }>('/telegram/start', 'POST', { code }),
  }
}

export type SinksClient = ReturnType<typeof connectSinks>

/** Subscribes an account through every channel and confirms each: secret, mail link, bot. */
export const subscribeToAll = async (
  stack: StackInfo,
  privateKey: Hex,
  name: string,
): Promise<Record<SinkChannel, Subscribed>> => {
  const sinks = connectSinks(stack)
  const webhook = await subscribe(stack, privateKey, {
    channel: 'webhook',
    target: `${stack.sinksUrl}/webhooks/${name}`,
  })
  await sinks.keepSecret(name, webhook.secret ?? '')
  const address = `${name}@edgebook.test`
  const email = await subscribe(stack, privateKey, { channel: 'email', target: address })
  await followLink(findLink((await sinks.list(`?channel=email&to=${address}`)).at(-1)?.text, 'confirm'))
  const telegram = await subscribe(stack, privateKey, { channel: 'telegram' })
  await sinks.startChat(telegram.link?.split('start=')[1] ?? '')
  const push = await subscribe(stack, privateKey, { channel: 'push', target: await sinks.openBrowser() })
  return { webhook, email, telegram, push }
}

/** The confirm or unsubscribe link of a mail. */
export const findLink = (text: string | undefined, purpose: 'confirm' | 'unsubscribe'): string => {
  const link = text?.match(new RegExp(`https?://\\S+/subscriptions/${purpose}/\\S+`))?.[0]
  if (!link) throw new Error(`no link to ${purpose} in ${text}`)
  return link
}

/** Opens the page and presses its button as a browser does. @returns the next page */
export const followLink = async (link: string): Promise<string> => {
  const headers = { Accept: 'text/html' }
  const page = await fetch(link, { headers })
  if (!page.ok || !(await page.text()).includes('<button>')) throw new Error(`${link}: ${page.status}, no button`)
  const answer = await fetch(link, { method: 'POST', headers })
  if (!answer.ok) throw new Error(`POST ${link}: ${answer.status}`)
  return answer.text()
}
