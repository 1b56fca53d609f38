/** What the header `Server-Timing` of an answer says: round trips to each dependency, and milliseconds spent waiting for them. */
export type ServerTiming = Record<string, { count: number; milliseconds: number }>

export const parseServerTiming = (header: string | null): ServerTiming =>
  Object.fromEntries(
    (header ?? '').split(',').flatMap((entry) => {
      const [name = '', ...parameters] = entry.trim().split(';')
      const read = (key: string) =>
        Number(
          parameters
            .find((parameter) => parameter.startsWith(`${key}=`))
            ?.slice(key.length + 1)
            .replaceAll('"', ''),
        )
      return name === '' ? [] : [[name, { count: read('desc') || 0, milliseconds: read('dur') || 0 }]]
    }),
  )
