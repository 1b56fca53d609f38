import { engineResponseSchema } from '../../functions/solver/engine/engineApi.ts'
import type { Report } from './report.ts'

/** Above what any solver needs for a request that it refuses. */
const timeoutMs = 2_000

/** Response to any body; undefined without one in time. */
const post = async (url: string, body: string): Promise<{ status: number; text: string } | undefined> => {
  const headers = { 'Content-Type': 'application/json', 'X-Auction-Id': '1', 'X-Request-Id': '1' }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}

/** Sends a request whose content is wrong: it must be refused, or at least leave the server alive. */
export const probeRefusal = async (report: Report, what: string, url: string, body: string): Promise<void> => {
  const response = await post(url, body)
  if (!response) report.fault(what, 'no response: respond with an error status')
  else if (response.status === 200) report.note(what, 'accepted')
  else report.ok(what, `status ${response.status}`)
}

/** Sends an auction that must be read. */
export const probeAccepted = async (report: Report, what: string, url: string, body: string): Promise<void> => {
  const response = await post(url, body)
  if (!response) report.fault(what, `no response within ${timeoutMs} ms`)
  else if (response.status !== 200) report.fault(what, `status ${response.status}`)
  else if (hasSolutions(response.text)) report.ok(what)
  else report.fault(what, 'status 200, but no list of solutions')
}

const hasSolutions = (text: string): boolean => {
  try {
    return engineResponseSchema.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

/** Sends a notification, whose response is ignored in service. */
export const probeNotice = async (report: Report, url: string, notice: object): Promise<void> => {
  const response = await post(`${url}/notify`, JSON.stringify(notice))
  const what = `notification ${'kind' in notice ? notice.kind : ''}`
  if (response?.status === 200) report.ok(what)
  else report.note(what, response ? `status ${response.status}; it is ignored` : 'no response; it is ignored')
}
