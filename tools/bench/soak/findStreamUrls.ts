import type { Book } from '../platform/seedBook.ts'
import type { Platform } from '../platform/startPlatform.ts'

const streamCount = 20

/** An order's events, where they are streamed. */
export const findStreamUrls = async ({ baseUrl, tokens }: Platform, book: Book): Promise<string[]> => {
  const balances = `${baseUrl}/11155111/accounts/${book.owner}/balances/sse?tokens=${tokens.DAI?.address},${tokens.COW?.address}`
  const events = `${baseUrl}/sepolia/api/v1/orders/${book.liveUid}/events`
  const urls = (await isStreamed(events)) ? [balances, events] : [balances]
  return Array.from({ length: streamCount }, (_, index) => urls[index % urls.length] as string)
}

const isStreamed = async (url: string): Promise<boolean> => {
  const response = await fetch(url, { headers: { Accept: 'text/event-stream' } })
  await response.body?.cancel()
  return response.ok
}
