import { z } from 'zod'
import { readBoundedJson } from '#shared/connections/readBoundedJson.ts'
import { toUnavailable } from '#shared/http/toUnavailable.ts'

/** The service binding of the notifier. */
export type Notifier = { fetch: (request: Request) => Promise<Response> }

const maxResponseBytes = 4_096
const timeoutMs = 9_000

const challengeSchema = z.object({ outcome: z.enum(['confirmed', 'sent', 'failed']), reason: z.string().optional() })
const testSchema = z.object({ outcome: z.enum(['delivered', 'failed']), reason: z.string().optional() })

export type ChallengeResponse = z.output<typeof challengeSchema>
export type TestResponse = z.output<typeof testSchema>

/** Requests a challenge of a subscription's target from the notifier. */
export const requestChallenge = (notifier: Notifier, subscriptionId: string): Promise<ChallengeResponse> =>
  post(notifier, '/challenge', subscriptionId, challengeSchema)

/** Requests a test message to a subscription's target from the notifier. */
export const requestTest = (notifier: Notifier, subscriptionId: string): Promise<TestResponse> =>
  post(notifier, '/test', subscriptionId, testSchema)

/** @throws ApiError `ServiceUnavailable` when the notifier does not respond in time */
const post = async <Body>(
  notifier: Notifier,
  path: string,
  subscriptionId: string,
  bodySchema: z.ZodType<Body>,
): Promise<Body> => {
  try {
    const request = new Request(`http://notifier${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ subscriptionId }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return bodySchema.parse(await readBoundedJson(await notifier.fetch(request), maxResponseBytes))
  } catch (error) {
    throw toUnavailable('notifier', error)
  }
}
