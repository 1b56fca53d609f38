export const sinkChannels = ['webhook', 'email', 'telegram', 'push'] as const
export type SinkChannel = (typeof sinkChannels)[number]

/** A received message. */
export type Received = {
  channel: SinkChannel
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

export type SinkMessage = Received & {
  /** increases by one with each message */
  seq: number
  receivedAt: string
}

export type MessageFilter = {
  channel?: SinkChannel | undefined
  to?: string | undefined
  /** address mentioned in the message, in any case */
  account?: string | undefined
  /** only messages after this one */
  since?: number | undefined
}

const maxMessages = 1_000

/** Stores the newest thousand messages. */
export const createMailbox = () => {
  const messages: SinkMessage[] = []
  let seq = 0
  return {
    add: (received: Received): SinkMessage => {
      seq += 1
      const message = { seq, receivedAt: new Date().toISOString(), ...received }
      messages.push(message)
      if (messages.length > maxMessages) messages.shift()
      return message
    },
    /** oldest first */
    list: ({ channel, to, account, since = 0 }: MessageFilter = {}): SinkMessage[] =>
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

const mentions = ({ body, text }: SinkMessage, address: string): boolean =>
  (JSON.stringify(body) + text).toLowerCase().includes(address.toLowerCase())
