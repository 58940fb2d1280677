/** Side lengths in pixels and qualities to try, best picture first. */
const SIDES = [1600, 1280, 1024, 800]
const QUALITIES = [0.82, 0.7, 0.55]

interface CropArea {
  from: [number, number, number, number]
  to: [number, number]
}
const drawCropped = (
  picture: ImageBitmap,
  { from, to: [width, height] }: CropArea,
): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(picture, ...from, 0, 0, width, height)
  return canvas
}
const toJpeg = (canvas: HTMLCanvasElement, quality: number): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be drawn.'))),
      'image/jpeg',
      quality,
    )
  })
const withBitmap = async <Value>(
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

/**
 * Returns the file as a square JPEG of at most `side` pixels, without the location and device data
 * that cameras add.
 */
export const cropToSquareJpeg = (file: Blob, side = 512): Promise<Blob> =>
  withBitmap(file, (picture) => {
    const short = Math.min(picture.width, picture.height)
    const size = Math.min(side, short)
    const canvas = drawCropped(picture, {
      from: [(picture.width - short) / 2, (picture.height - short) / 2, short, short],
      to: [size, size],
    })
    return toJpeg(canvas, 0.85)
  })

/**
 * Returns the file as an upright JPEG without the location and device data that cameras add: the
 * largest version of at most `most` bytes, or the smallest possible one.
 */
export const compressToJpeg = (file: Blob, most: number): Promise<Blob> =>
  withBitmap(file, async (picture) => {
    const { width, height } = picture
    let smallest: Blob | undefined
    for (const side of SIDES) {
      const scale = Math.min(1, side / Math.max(width, height))
      const to: CropArea['to'] = [
        Math.max(1, Math.round(width * scale)),
        Math.max(1, Math.round(height * scale)),
      ]
      const canvas = drawCropped(picture, { from: [0, 0, width, height], to })
      for (const quality of QUALITIES) {
        const blob = await toJpeg(canvas, quality)
        if (blob.size <= most) return blob
        if (!smallest || blob.size < smallest.size) smallest = blob
      }
    }
    return smallest ?? file
  })

/** Returns a file as a data URL, for storage that accepts only text. */
export const toDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })

/** Returns the file in a base64 data URL. */
export const fromDataUrl = (url: string): Blob => {
  const [head = '', body = ''] = url.split(',')
  const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: /data:([^;]+)/.exec(head)?.[1] ?? 'image/jpeg' })
}
