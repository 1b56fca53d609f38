import type { LoggedEvent } from '#schema/queries/events/logPage.ts'
import { encodeEvent } from '#shared/streams/serverSentEvent.ts'
import { toConditionalEvent } from './conditionalEventResponse.ts'
import { toEventId } from './eventId.ts'
import { toOrderEvent } from './orderEventResponse.ts'

/** An event of the log in the forms in which it is sent, each built once for all receivers. */
export type SentEvent = {
  /** its position */
  id: string
  kind: 'order' | 'conditional_order'
  /** `OrderEvent` or `ConditionalEvent` as JSON */
  toJson: () => string
  /** as a server-sent event */
  toBytes: () => Uint8Array
}

/** @param now Unix seconds */
export const createSentEvent = (logged: LoggedEvent, now: number): SentEvent => {
  const id = toEventId(logged.position)
  let json: string | undefined
  let bytes: Uint8Array | undefined
  const kind = 'conditional' in logged ? 'conditional_order' : 'order'
  const toData = () => ('conditional' in logged ? toConditionalEvent(logged) : toOrderEvent(logged, now))
  const toJson = (): string => {
    json ??= JSON.stringify(toData())
    return json
  }
  const toBytes = (): Uint8Array => {
    bytes ??= encodeEvent({ id, event: kind, data: toData() })
    return bytes
  }
  return { id, kind, toJson, toBytes }
}
