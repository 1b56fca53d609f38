export const channels = ['webhook', 'email', 'telegram', 'push'] as const
export type Channel = (typeof channels)[number]

/** A received message. */
export type Received = {
  channel: Channel
  /** webhook name, e-mail address, chat id, browser id */
  to: string
  /** the same for a repeated message; null: the channel has none */
  id: string | null
  type: string | null
  title: string
  text: string
  /** counted by the sender; null: not in this channel */
  attempt: number | null
  /** whether the signature is valid; null: unknown key, or a channel without signatures */
  verified: boolean | null
  /** as received */
  body: unknown
}

export type Message = Received & {
  /** increases by one with each message */
  seq: number
  receivedAt: string
}

export type MessageFilter = {
  channel?: Channel | undefined
  to?: string | undefined
  /** address mentioned in the message, in any case */
  account?: string | undefined
  /** only messages after this one */
  since?: number | undefined
}

const maxMessages = 1_000

/** Stores the newest thousand messages. */
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
