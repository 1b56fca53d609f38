import { z } from 'zod'

/** A binding of the platform, which passes through unparsed: only its presence is checked. */
export const binding = <Binding>() => z.custom<Binding>((value) => value !== undefined, 'no binding')
