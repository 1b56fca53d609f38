/** Requests of one client in a window of seconds. */
export type Quota = { requests: number; seconds: number }

/** Header of requests to upgrade to a WebSocket, set by the gateway: the quota of reads of the client. */
export const quotaHeader = 'X-Quota'

export const formatQuota = ({ requests, seconds }: Quota): string => `${requests};w=${seconds}`

/** @returns undefined without a quota */
export const readQuota = (text: string | null | undefined): Quota | undefined => {
  const [, requests, seconds] = /^(\d{1,9});w=(\d{1,9})$/.exec(text ?? '') ?? []
  return requests && seconds ? { requests: Number(requests), seconds: Number(seconds) } : undefined
}

/** Description and data of the error `RateLimited` of a client that exceeds a quota. */
export const describeExcess = (limit: string, { requests, seconds }: Quota) => ({
  description: `more than ${requests} requests in ${seconds} seconds`,
  data: { limit, requests, seconds },
})
