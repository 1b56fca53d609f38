import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { waitUntil } from '../stack/processes/waitUntil.ts'

type Notification = { id: string; type: string; message: string; metadata: { orderUid: string } }

const timeoutMs = 15_000
const listed = 100

/** Prints an account's notifications about some of its orders, oldest first, and the delivery address. */
export const printNotifications = async (stack: StackInfo, account: string, uids: readonly string[]): Promise<void> => {
  const notifications = await waitForNotifications(stack, account, uids)
  console.log(`\nnotifications of ${account}`)
  for (const { type, message } of notifications) console.log(`  ${type.padEnd(24)}${message}`)
  console.log(`  GET ${stack.baseUrl}/accounts/${account}/notifications`)
  console.log(`  delivered webhooks, mails, chats and pushes: ${stack.sinksUrl}`)
}

/** Each of these orders is filled, so each has a notification. */
const waitForNotifications = async (
  stack: StackInfo,
  account: string,
  uids: readonly string[],
): Promise<Notification[]> => {
  let found: Notification[] = []
  const hasAll = async (): Promise<boolean> => {
    found = (await listNotifications(stack, account)).filter(({ metadata }) => uids.includes(metadata.orderUid))
    return uids.every((uid) => found.some(({ metadata }) => metadata.orderUid === uid))
  }
  await waitUntil('the notifications of the trades', hasAll, { timeoutMs, intervalMs: 500 })
  return found.toReversed()
}

/** The list is cached for five minutes per URL; a cursor beyond every id makes the URL new. */
const listNotifications = async (stack: StackInfo, account: string): Promise<Notification[]> => {
  const response = await fetch(
    `${stack.baseUrl}/accounts/${account}/notifications?limit=${listed}&before=${Date.now() * 100}`,
  )
  if (!response.ok) throw new Error(`notifications of ${account}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Notification[]
}
