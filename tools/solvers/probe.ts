import type { Report } from './report.ts'

/** Above what any solver needs for a request that it refuses. */
const timeoutMs = 2_000

/** Status of a response to any body; undefined without a response in time. */
const post = async (url: string, body: string): Promise<number | undefined> => {
  const headers = { 'Content-Type': 'application/json', 'X-Auction-Id': '1', 'X-Request-Id': '1' }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    await response.text()
    return response.status
  } catch {
    return undefined
  }
}

/** Sends a request whose content is wrong: it must be refused, or at least leave the server alive. */
export const probeRefusal = async (report: Report, what: string, url: string, body: string): Promise<void> => {
  const status = await post(url, body)
  if (status === undefined) report.fault(what, 'no response: respond with an error status')
  else if (status === 200) report.note(what, 'accepted')
  else report.ok(what, `status ${status}`)
}

/** Sends a request that must be read. */
export const probeAccepted = async (report: Report, what: string, url: string, body: string): Promise<void> => {
  const status = await post(url, body)
  if (status === 200) report.ok(what)
  else report.fault(what, status === undefined ? `no response within ${timeoutMs} ms` : `status ${status}`)
}

/** Sends a notification, whose response is ignored in service. */
export const probeNotice = async (report: Report, url: string, notice: object): Promise<void> => {
  const status = await post(`${url}/notify`, JSON.stringify(notice))
  const what = `notification ${'kind' in notice ? notice.kind : ''}`
  if (status === 200) report.ok(what)
  else report.note(what, status === undefined ? 'no response' : `status ${status}; it is ignored`)
}
