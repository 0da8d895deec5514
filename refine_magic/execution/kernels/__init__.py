"""Fresh kernels: started, watched, pooled and killed, behind `jupyter_client`'s provisioners."""
