export const channels = ['webhook', 'email', 'telegram', 'push'] as const
export type Channel = (typeof channels)[number]

/** What arrived at a channel. */
export type Received = {
  channel: Channel
  /** name of the webhook, e-mail address, id of the chat, id of the browser */
  to: string
  /** the same when the same message arrives again; null: the channel has none */
  id: string | null
  type: string | null
  title: string
  text: string
  /** counted by the sender; null: the channel does not say */
  attempt: number | null
  /** whether its signature is the sender's; null: nobody knows the key, or the channel has none */
  verified: boolean | null
  /** as it came */
  body: unknown
}

export type Message = Received & {
  /** grows by one with each message */
  seq: number
  receivedAt: string
}

export type MessageFilter = {
  channel?: Channel | undefined
  to?: string | undefined
  /** address that the message mentions, in any case */
  account?: string | undefined
  /** those after this one */
  since?: number | undefined
}

const maxMessages = 1_000

/** Keeps the newest thousand messages that arrived. */
export const createMailbox = () => {
  const messages: Message[] = []
  let seq = 0
  return {
    add: (received: Received): Message => {
      seq += 1
      const message = { seq, receivedAt: new Date().toISOString(), ...received }
      messages.push(message)
      if (messages.length > maxMessages) messages.shift()
      return message
    },
    /** oldest first */
    list: ({ channel, to, account, since = 0 }: MessageFilter = {}): Message[] =>
      messages.filter(
        (message) =>
          message.seq > since &&
          (channel === undefined || message.channel === channel) &&
          (to === undefined || message.to === to) &&
          (account === undefined || mentions(message, account)),
      ),
  }
}

export type Mailbox = ReturnType<typeof createMailbox>

const mentions = ({ body, text }: Message, address: string): boolean =>
  (JSON.stringify(body) + text).toLowerCase().includes(address.toLowerCase())
