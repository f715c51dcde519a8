export {
  getPictureSizes,
  listFeaturedPictures,
  pictureSizes,
  regeneratePicture,
  THUMBNAIL_ERRORS,
  type PictureSizes,
  type RegenerationOptions,
} from './picture-routes.ts';
export {
  cancelThumbnailJob,
  createThumbnailJob,
  getThumbnailJob,
  listThumbnailJobs,
  MAX_JOB_PROBLEMS,
  MAX_STORED_JOBS,
  MAX_OPEN_JOBS,
  type JobProblem,
  type JobStatus,
  type ThumbnailJob,
} from './job-routes.ts';
