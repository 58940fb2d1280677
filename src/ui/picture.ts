/** The file as a square JPEG of at most `side` pixels, without the place and device a camera writes into it. */
export const squarePicture = async (file: Blob, side = 512): Promise<Blob> => {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const short = Math.min(picture.width, picture.height)
    const size = Math.min(side, short)
    return await drawn(picture, {
      from: [(picture.width - short) / 2, (picture.height - short) / 2, short, short],
      to: [size, size],
    })
  } finally {
    picture.close()
  }
}

/** The file as a JPEG whose longer side is at most `longest` pixels. */
export const smallPicture = async (file: Blob, longest = 1600): Promise<Blob> => {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    return await drawn(picture, {
      from: [0, 0, picture.width, picture.height],
      to: [Math.round(picture.width * scale), Math.round(picture.height * scale)],
    })
  } finally {
    picture.close()
  }
}

interface Cut {
  from: [number, number, number, number]
  to: [number, number]
}
const drawn = (picture: ImageBitmap, { from, to: [width, height] }: Cut): Promise<Blob> => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(picture, ...from, 0, 0, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be drawn.'))),
      'image/jpeg',
      0.85,
    )
  })
}
