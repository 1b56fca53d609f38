import { Webhook } from 'standardwebhooks'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import { domainVersion, messageTypes, toDomainName } from '../../../functions/accounts/authorization/typedData.ts'
import { network } from '../market.ts'
import { createAccount, type Participant, type World } from '../world.ts'

/** host of all webhooks */
export const hooksHost = 'hooks.example'

/** A delivery that arrived. */
export type Arrival = {
  /** the key: the same at every attempt */
  key: string
  type: string
  notificationId: string
  /** type of the notification, also of a retracted one */
  notificationType: string
  at: number
  /** `unknown`: the response came about when the sender gave up */
  outcome: 'accepted' | 'refused' | 'unknown'
}

/** Deliveries that a subscriber of notifications received. */
export type Reception = {
  name: string
  account: Address
  types: readonly string[]
  /** time of the confirmation, Unix milliseconds; undefined before it */
  confirmedAt: number | undefined
  receipts: Arrival[]
}

type Payload = { type: string; data: { id: string; type: string; account: string; challenge?: string } }

type Manner = 'accepts' | 'refuses' | 'silent' | 'late'
const outcomes = { accepts: 'accepted', refuses: 'refused', silent: 'refused', late: 'unknown' } as const

const signedForSeconds = 600
/** blocks between two outages of a receiver */
const outageInterval = 20

/**
 * Subscribes to the notifications of an account by webhook, with a signed message, and accepts most deliveries: it has outages
 * of some blocks, and at times it refuses one, does not respond, or accepts without a response.
 */
export const createReceiver = (
  world: World,
  name: string,
  accountName: string,
  types: readonly string[],
): Participant & Reception => {
  const dice = world.dice(name)
  const { signer, address } = createAccount(accountName)
  const receipts: Arrival[] = []
  const reception: Reception = { name, account: address, types, confirmedAt: undefined, receipts }
  let secret = ''
  let isSubscribing = false
  let attempts = 0
  let brokenUntil = 0

  const answer = async (request: Request): Promise<Response> => {
    const text = await request.text()
    const { type, data } = JSON.parse(text) as Payload
    if (type === 'subscription.challenge') return Response.json({ challenge: data.challenge })
    new Webhook(secret).verify(text, Object.fromEntries(request.headers))
    const key = request.headers.get('webhook-id') ?? ''
    const manner = chooseManner()
    const facts = { key, type, notificationId: data.id, notificationType: data.type }
    receipts.push({ ...facts, at: world.now(), outcome: outcomes[manner] })
    world.log('notified', { receiver: name, ...facts, manner })
    if (manner === 'refuses') return new Response(null, { status: 500 })
    if (manner === 'silent') await new Promise(() => undefined)
    if (manner === 'late') await world.sleep(dice.between(4_500, 6_000))
    return new Response(null, { status: 204 })
  }
  /** The target of a subscription whose response was lost, and with it the secret. */
  const gone = async () => new Response(null, { status: 410 })
  const chooseManner = (): Manner => {
    if (world.chain.head().number < brokenUntil) return 'refuses'
    return dice.chance(0.88) ? 'accepts' : dice.pick(['refuses', 'silent', 'late'] as const)
  }
  const subscribe = async (): Promise<void> => {
    attempts += 1
    const path = `/${encodeURIComponent(name)}/${attempts}`
    const target = `https://${hooksHost}${path}`
    const nonce = keccak256(toHex(`${name} ${attempts}`))
    const deadline = Math.floor(world.now() / 1_000) + signedForSeconds
    const terms = { channel: 'webhook', target, types, networks: [network.chainId], nonce }
    const signature: Hex = await signer.signTypedData({
      domain: { name: toDomainName('edgebook'), version: domainVersion, chainId: network.chainId },
      types: messageTypes,
      primaryType: 'Subscribe',
      message: { ...terms, account: address, networks: [BigInt(network.chainId)], deadline: BigInt(deadline) },
    })
    for (const other of world.receivers.keys())
      if (other.startsWith(`/${encodeURIComponent(name)}/`)) world.receivers.set(other, gone)
    world.receivers.set(path, answer)
    const response = await world.service.accounts.fetch(`http://accounts/accounts/${address}/subscriptions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...terms, chainId: network.chainId, deadline, signature }),
    })
    const saved = (await response.json()) as { confirmed?: boolean; secret?: string }
    world.log('subscribed', { receiver: name, status: response.status, confirmed: saved.confirmed })
    if (!saved.confirmed) return
    secret = saved.secret ?? ''
    reception.confirmedAt = world.now()
  }

  return Object.assign(reception, {
    name,
    act: async ({ number }: { number: number }) => {
      if (reception.confirmedAt === undefined) {
        if (isSubscribing) return
        isSubscribing = true
        await subscribe().finally(() => (isSubscribing = false))
      } else if (number > brokenUntil + outageInterval && dice.chance(0.1)) {
        brokenUntil = number + dice.between(1, 3)
        world.log('receiver fails', { receiver: name, until: brokenUntil })
      }
    },
  })
}
