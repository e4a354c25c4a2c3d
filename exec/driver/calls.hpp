// The calls of CUDA's driver that the stand-in for the runtime is made of.
#pragma once

#include "exec/driver/cuda.hpp"

using warpcheck::driver::device_pointer;

CUDA_CALL cuInit(unsigned flags);
CUDA_CALL cuDriverGetVersion(int* version);
CUDA_CALL cuDeviceGetName(char* name, int length, int device);
CUDA_CALL cuDeviceGetAttribute(int* value, int number, int device);
CUDA_CALL cuDeviceGetUuid_v2(warpcheck::driver::uuid* id, int device);
CUDA_CALL cuDeviceGetPCIBusId(char* id, int length, int device);
CUDA_CALL cuCtxSetCurrent(void* context);
CUDA_CALL cuCtxSynchronize();
CUDA_CALL cuDevicePrimaryCtxRetain(void** context, int device);
CUDA_CALL cuGetErrorString(warpcheck::driver::error code, const char** text);
CUDA_CALL cuGetProcAddress_v2(const char* name, void** found, int version, std::uint64_t flags,
                              int* status);

CUDA_CALL cuModuleLoadData(void** made, const void* image);
CUDA_CALL cuModuleGetFunction(void** found, void* of, const char* name);
CUDA_CALL cuModuleGetGlobal_v2(device_pointer* at, std::size_t* size, void* of, const char* name);
CUDA_CALL cuFuncGetAttribute(int* value, int number, void* of);
CUDA_CALL cuFuncSetAttribute(void* of, int number, int value);
CUDA_CALL cuFuncGetName(const char** name, void* of);
CUDA_CALL cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* of,
                                           std::size_t (*shared)(int), std::size_t dynamic,
                                           int most);
CUDA_CALL cuLaunchKernel(void* of, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                         unsigned bz, unsigned shared, void* stream, void** parameters,
                         void** extra);
CUDA_CALL cuLaunchCooperativeKernel(void* of, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                    unsigned by, unsigned bz, unsigned shared, void* stream,
                                    void** parameters);
CUDA_CALL cuLaunchKernelEx(const warpcheck::driver::launch_config* config, void* of,
                           void** parameters, void** extra);
CUDA_CALL cuLaunchHostFunc(void* stream, void (*call)(void*), void* data);

CUDA_CALL cuMemGetInfo_v2(std::size_t* free, std::size_t* total);
CUDA_CALL cuMemAlloc_v2(device_pointer* at, std::size_t size);
CUDA_CALL cuMemAllocPitch_v2(device_pointer* at, std::size_t* pitch, std::size_t width,
                             std::size_t height, unsigned element);
CUDA_CALL cuMemFree_v2(device_pointer at);
CUDA_CALL cuMemHostGetDevicePointer_v2(device_pointer* device, void* host, unsigned flags);
CUDA_CALL cuMemHostRegister_v2(void* at, std::size_t size, unsigned flags);
CUDA_CALL cuPointerGetAttribute(void* data, int number, device_pointer at);
CUDA_CALL cuMemcpy(device_pointer to, device_pointer from, std::size_t size);
CUDA_CALL cuMemcpy2D_v2(const warpcheck::driver::copy_2d* what);
CUDA_CALL cuMemsetD8_v2(device_pointer to, std::uint8_t value, std::size_t count);
CUDA_CALL cuMemsetD2D8_v2(device_pointer to, std::size_t pitch, std::uint8_t value,
                          std::size_t width, std::size_t height);

CUDA_CALL cuStreamCreate(void** made, unsigned flags);
CUDA_CALL cuStreamDestroy_v2(void* stream);
CUDA_CALL cuStreamQuery(void* stream);
CUDA_CALL cuStreamSynchronize(void* stream);
CUDA_CALL cuStreamAddCallback(void* stream, void (*call)(void*, warpcheck::driver::error, void*),
                              void* data, unsigned flags);
CUDA_CALL cuEventCreate(void** made, unsigned flags);
CUDA_CALL cuEventDestroy_v2(void* event);
CUDA_CALL cuEventRecord(void* event, void* stream);
CUDA_CALL cuEventElapsedTime_v2(float* milliseconds, void* from, void* to);

/// Says once that a call is not supported, and returns the error for it.
extern "C" [[gnu::visibility("default")]] warpcheck::driver::error warpcheck_refuse_call(
    const char* name);
