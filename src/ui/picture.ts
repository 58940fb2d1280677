/** Sides in pixels and qualities to try, the best picture first. */
const SIDES = [1600, 1280, 1024, 800]
const QUALITIES = [0.82, 0.7, 0.55]

interface Cut {
  from: [number, number, number, number]
  to: [number, number]
}
const draw = (picture: ImageBitmap, { from, to: [width, height] }: Cut): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(picture, ...from, 0, 0, width, height)
  return canvas
}
const jpeg = (canvas: HTMLCanvasElement, quality: number): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be drawn.'))),
      'image/jpeg',
      quality,
    )
  })
const opened = async <Value>(
  file: Blob,
  read: (picture: ImageBitmap) => Promise<Value>,
): Promise<Value> => {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    return await read(picture)
  } finally {
    picture.close()
  }
}

/** The file as a square JPEG of at most `side` pixels, without the place and device a camera writes into it. */
export const squarePicture = (file: Blob, side = 512): Promise<Blob> =>
  opened(file, (picture) => {
    const short = Math.min(picture.width, picture.height)
    const size = Math.min(side, short)
    const canvas = draw(picture, {
      from: [(picture.width - short) / 2, (picture.height - short) / 2, short, short],
      to: [size, size],
    })
    return jpeg(canvas, 0.85)
  })

/**
 * The file as an upright JPEG, without the place and device a camera writes into it: the largest of at most `most`
 * bytes, or the smallest there is.
 */
export const smallPicture = (file: Blob, most: number): Promise<Blob> =>
  opened(file, async (picture) => {
    const { width, height } = picture
    let smallest: Blob | undefined
    for (const side of SIDES) {
      const scale = Math.min(1, side / Math.max(width, height))
      const to: Cut['to'] = [
        Math.max(1, Math.round(width * scale)),
        Math.max(1, Math.round(height * scale)),
      ]
      const canvas = draw(picture, { from: [0, 0, width, height], to })
      for (const quality of QUALITIES) {
        const blob = await jpeg(canvas, quality)
        if (blob.size <= most) return blob
        if (!smallest || blob.size < smallest.size) smallest = blob
      }
    }
    return smallest ?? file
  })

/** A file as a data link, which can be kept where only text can. */
export const toDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })

/** The file of a base64 data link. */
export const fromDataUrl = (url: string): Blob => {
  const [head = '', body = ''] = url.split(',')
  const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: /data:([^;]+)/.exec(head)?.[1] ?? 'image/jpeg' })
}
