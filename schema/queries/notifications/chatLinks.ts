import { and, eq, type SQL } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'

const isChat = (chat: string): SQL | undefined =>
  and(eq(subscriptions.channel, 'telegram'), eq(subscriptions.target, chat))

/** Accounts whose notifications a chat receives. */
export const selectChatAccounts = async (database: Database, chat: string): Promise<Address[]> => {
  const found = await database.select({ account: subscriptions.account }).from(subscriptions).where(isChat(chat))
  return found.map(({ account }) => account)
}

/** Deletes all subscriptions of a chat. */
export const unlinkChat = async (database: Database, chat: string): Promise<void> => {
  await database.delete(subscriptions).where(isChat(chat))
}
