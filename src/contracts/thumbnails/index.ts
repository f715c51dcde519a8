export {
  getPictureSizes,
  listFeaturedPictures,
  pictureSizes,
  regeneratePicture,
  THUMBNAIL_ERRORS,
  type PictureSizes,
  type RegenerationOptions,
} from './picture-routes.ts';
